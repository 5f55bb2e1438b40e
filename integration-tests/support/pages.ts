/** What a browser without JavaScript keeps of a hosted page: its cookie and its form's token. */
export async function visit(page: string, headers: Record<string, string> = {}) {
  const response = await fetch(page, { headers })
  const text = await response.text()
  const cookie = (response.headers.get("set-cookie") ?? "").split(";")[0]
  const token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? ""
  return { response, text, cookie, token }
}

export type Visited = Awaited<ReturnType<typeof visit>>

/** Sends the form of a page that has been visited. */
export async function post(page: string, { cookie, token }: Pick<Visited, "cookie" | "token">, fields: Record<string, string>) {
  const response = await fetch(page, {
    method: "POST",
    redirect: "manual",
    headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin", Origin: "null", Cookie: cookie },
    body: new URLSearchParams({ csrf_token: token, ...fields }).toString(),
  })
  return { status: response.status, text: await response.text(), location: response.headers.get("location") ?? "" }
}

export const CARD = {
  method: "card",
  card_number: "4242 4242 4242 4242",
  card_expiry: "12/40",
  card_cvc: "123",
  card_name: "Rahim Uddin",
}
