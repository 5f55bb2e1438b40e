import type { Checkout } from "./checkouts"
import type { Store } from "./store"

/** The hosted page's address of a session. */
export const pageIn = (store: Store) => (session_id: string) => `${store.url}/pay/${session_id}`

/** What a browser without JavaScript keeps of a hosted page: its cookie and its form's token. */
export async function visit(page: string, headers: Record<string, string> = {}) {
  const response = await fetch(page, { headers })
  const text = await response.text()
  const cookie = (response.headers.get("set-cookie") ?? "").split(";")[0]
  const token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? ""
  return { response, text, cookie, token }
}

export type Visited = Awaited<ReturnType<typeof visit>>

/** Submits the form of a visited page. */
export async function post(
  page: string,
  { cookie, token }: Pick<Visited, "cookie" | "token">,
  fields: Record<string, string>
) {
  const response = await fetch(page, {
    method: "POST",
    redirect: "manual",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "Sec-Fetch-Site": "same-origin",
      Origin: "null",
      Cookie: cookie,
    },
    body: new URLSearchParams({ csrf_token: token, ...fields }).toString(),
  })
  const cookies = response.headers.getSetCookie()
  const location = response.headers.get("location") ?? ""
  return { status: response.status, text: await response.text(), location, cookies }
}

export const CARD = {
  method: "card",
  card_number: "4242 4242 4242 4242",
  card_expiry: "12/40",
  card_cvc: "123",
  card_name: "Rahim Uddin",
}

export const visitCheckout = (checkout: Checkout, headers?: Record<string, string>) => visit(checkout.page, headers)

export type Submission = {
  path?: string
  fields?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

/** Opens a checkout's page and posts its form. */
export async function submit(checkout: Checkout, { path = "", fields = CARD, body, headers = {} }: Submission = {}) {
  const { cookie, token } = await visitCheckout(checkout)
  const response = await fetch(checkout.page + path, {
    method: "POST",
    redirect: "manual",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "Sec-Fetch-Site": "same-origin",
      Origin: "null",
      Cookie: cookie,
      ...headers,
    },
    body: body ?? new URLSearchParams({ csrf_token: token, ...fields }).toString(),
  })
  return { response, text: await response.text(), location: response.headers.get("location") ?? "" }
}

/** Expects a page of ours: HTML with the strict headers, whatever the status, and nothing of Medusa's or Express's. */
export function expectOwnPage(response: Response, text: string) {
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
  expect(response.headers.get("x-powered-by")).toBeNull()
  expect(text).toContain("<!doctype html>")
  expect(text).not.toMatch(/at .*\.(ts|js):\d+|"type":|Cannot (GET|POST)/)
}
