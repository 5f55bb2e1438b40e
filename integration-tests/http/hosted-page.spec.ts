import { request as httpRequest } from "node:http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../src/modules/gateway"
import type GatewayModuleService from "../../src/modules/gateway/service"
import { blocked } from "../support/locks"
import { isCardNumber } from "../../src/api/pay/form/card-rules"
import { cardTestingStrikes, cspReports } from "../../src/modules/gateway/metrics"
import { newMerchant } from "../support/api"
import { merchantOf, type Checkout, type Merchant } from "../support/checkouts"
import { CARD, visit as visitPage } from "../support/pages"
import { useStore } from "../support/store"

const SHOP = "http://127.0.0.1:9"
/** Loopback is a trusted proxy here, so that tests of limits may come from addresses of their own. */
const store = useStore({ env: { TRUSTED_PROXIES: "127.0.0.1,::1" } })
let merchant: Merchant

beforeAll(async () => {
  merchant = await merchantOf(store, SHOP)
})

const visit = (checkout: Checkout, headers?: Record<string, string>) => visitPage(checkout.page, headers)

type Submission = { path?: string; fields?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> }

async function submit(checkout: Checkout, { path = "", fields = CARD, body, headers = {} }: Submission = {}) {
  const { cookie, token } = await visit(checkout)
  const response = await fetch(checkout.page + path, {
    method: "POST",
    redirect: "manual",
    headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin", Origin: "null", Cookie: cookie, ...headers },
    body: body ?? new URLSearchParams({ csrf_token: token, ...fields }).toString(),
  })
  return { response, text: await response.text(), location: response.headers.get("location") ?? "" }
}

/** A page of ours: HTML with the strict headers, whatever the status; nothing of Medusa's or Express's. */
function expectOwnPage(response: Response, text: string) {
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
  expect(response.headers.get("x-powered-by")).toBeNull()
  expect(text).toContain("<!doctype html>")
  expect(text).not.toMatch(/at .*\.(ts|js):\d+|"type":|Cannot (GET|POST)/)
}

describe("hosted page: headers", () => {
  it("are strict, forbid framing and caching, and tell nothing of the server", async () => {
    const { response, text } = await visit(await merchant.checkout())
    expect(response.status).toBe(200)
    expectOwnPage(response, text)
    const header = (name: string) => response.headers.get(name)
    expect(header("content-security-policy")).not.toMatch(/unsafe|nonce|\*/)
    expect(header("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(header("x-frame-options")).toBe("DENY")
    expect(header("cache-control")).toBe("no-store")
    expect(header("referrer-policy")).toBe("no-referrer")
    expect(header("x-content-type-options")).toBe("nosniff")
    expect(header("cross-origin-opener-policy")).toBe("same-origin")
    expect(header("permissions-policy")).toContain("payment=()")
    expect(header("set-cookie")).toMatch(/^gateway_csrf=[\w-]{43}; Path=\/pay; HttpOnly; SameSite=Lax$/)
  })

  it("name where browsers report what the policy blocked, and the policy stays in force; over https in the new way too", async () => {
    const { options } = store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const { response } = await visit(await merchant.checkout())
    expect(response.headers.get("content-security-policy")).toMatch(/; report-uri \/gateway\/csp-reports$/)
    expect([response.headers.get("reporting-endpoints"), response.headers.get("content-security-policy-report-only")]).toEqual([null, null])
    const before = options.publicUrl
    options.publicUrl = "https://pay.shop.example"
    try {
      const { headers } = (await visit(await merchant.checkout())).response
      expect(headers.get("content-security-policy")).toMatch(/; report-uri \/gateway\/csp-reports; report-to csp$/)
      expect(headers.get("reporting-endpoints")).toBe('csp="/gateway/csp-reports"')
    } finally {
      options.publicUrl = before
    }
  })

  it("reports are counted and logged in one line without ids; what is too large, too often or none is refused", async () => {
    const logger = store.container.resolve(ContainerRegistrationKeys.LOGGER)
    const { options } = store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const warned = jest.spyOn(logger, "warn").mockImplementation()
    const checkout = await merchant.checkout()
    const report = { effectiveDirective: "script-src-elem", blockedURL: `https://evil.example/a.js?${checkout.session_id}`, documentURL: checkout.page }
    const send = (body: string, type = "application/reports+json") =>
      fetch(`${store.url}/gateway/csp-reports`, { method: "POST", headers: { "Content-Type": type, "X-Forwarded-For": "198.51.100.250" }, body })
    const text = JSON.stringify([{ type: "csp-violation", url: checkout.page, body: report }])
    const counted = async () => (await cspReports.get()).values.find(({ labels }) => labels.directive === "script-src-elem")?.value ?? 0
    try {
      const before = await counted()
      expect([(await send(text)).status, await counted()]).toEqual([204, before + 1])
      expect(warned.mock.calls).toEqual([[expect.stringContaining("script-src-elem of the payment pages' content rules blocked https://evil.example on /pay/*")]])
      expect(warned.mock.calls.flat().join()).not.toMatch(/ses_|\?/)
      const old = JSON.stringify({ "csp-report": { "violated-directive": "img-src", "blocked-uri": "inline", "document-uri": checkout.page } })
      expect((await send(old, "application/csp-report")).status).toBe(204)
      const refused = [await send("{"), await send(text, "application/json"), await send(`"${"x".repeat(20_000)}"`)]
      expect(refused.map(({ status }) => status)).toEqual([400, 415, 413])
      const many = JSON.stringify(Array.from({ length: 100 }, () => ({ type: "csp-violation", body: report })))
      await Promise.all([send(many), send(many), send(many)])
      expect(warned.mock.calls.length).toBeLessThanOrEqual(20)
      options.pageLimits.reports = 2
      const answers = [await send(text), await send(text), await send(text)].map(({ status }) => status)
      expect(answers).toEqual([204, 204, 429])
    } finally {
      options.pageLimits.reports = 0
      warned.mockRestore()
    }
  })

  it("let the page's own files be kept for ever, under an address with their hash", async () => {
    const { text } = await visit(await merchant.checkout())
    const addresses = [...text.matchAll(/"(\/pay\/assets\/[^"]+)"/g)].map((match) => match[1])
    expect(addresses).toHaveLength(3)
    let total = Buffer.byteLength(text)
    for (const address of addresses) {
      const file = await fetch(store.url + address)
      total += (await file.arrayBuffer()).byteLength
      expect(file.status).toBe(200)
      expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      expect(file.headers.get("content-type")).toMatch(/^(text\/css|text\/javascript|image\/svg\+xml); charset=utf-8$/)
      expect(file.headers.get("x-content-type-options")).toBe("nosniff")
    }
    expect(total).toBeLessThan(60 * 1024)
  })
})

describe("hosted page: addresses", () => {
  it.each([
    ["the prefix alone", "/pay"],
    ["an empty id", "/pay/"],
    ["a word", "/pay/nothing"],
    ["a broken escape", "/pay/%ff"],
    ["a NUL", `/pay/ses_%00${"a".repeat(31)}`],
    ["SQL", "/pay/ses_'%20OR%201=1--"],
    ["something below a session", `/pay/ses_${"a".repeat(32)}/other`],
    ["an endless id", `/pay/ses_${"a".repeat(5000)}`],
    ["no file of ours", "/pay/assets/nothing.css"],
    ["a file with a broken escape", "/pay/assets/%ff"],
  ])("%s is our own 404 page, and no query is made", async (_, path) => {
    const gateway = store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const reading = jest.spyOn(gateway.checkoutPages, "page")
    const response = await fetch(store.url + path)
    expect(response.status).toBe(404)
    expectOwnPage(response, await response.text())
    expect(reading).not.toHaveBeenCalled()
    reading.mockRestore()
  })

  it("an unknown session is 404, to look at and to pay", async () => {
    const unknown = { session_id: `ses_${"a".repeat(32)}`, transaction_id: "", page: `${store.url}/pay/ses_${"a".repeat(32)}` }
    const { response, text } = await visit(unknown)
    expect(response.status).toBe(404)
    expectOwnPage(response, text)
    expect((await fetch(unknown.page, { method: "POST" })).status).toBeGreaterThanOrEqual(400)
  })

  it("another method is our own 405 page with Allow", async () => {
    const { page } = await merchant.checkout()
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const response = await fetch(page, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get("allow")).toBe("GET, HEAD, POST")
      expectOwnPage(response, await response.text())
    }
  })
})

describe("hosted page: CSRF", () => {
  it("the token is this browser's and this checkout's; any other form is refused and nothing is attempted", async () => {
    const checkout = await merchant.checkout()
    const other = await visit(await merchant.checkout())
    const own = await visit(checkout)
    const form = (token: string) => new URLSearchParams({ ...CARD, csrf_token: token }).toString()
    const attempts: Submission[] = [
      { fields: { ...CARD, csrf_token: "" } },
      { fields: { ...CARD, csrf_token: "x".repeat(43) } },
      { body: form(other.token), headers: { Cookie: own.cookie } },
      { body: form(own.token), headers: { Cookie: other.cookie } },
      { body: form(own.token), headers: { Cookie: "" } },
      { body: "" },
      { headers: { "Sec-Fetch-Site": "cross-site" } },
      { headers: { "Sec-Fetch-Site": "same-site" } },
    ]
    for (const attempt of attempts) {
      for (const path of ["", "/cancel"]) {
        const { response, text } = await submit(checkout, { ...attempt, path })
        expect(response.status).toBe(403)
        expectOwnPage(response, text)
      }
    }
    expect(await merchant.status(checkout.transaction_id)).toBe("PENDING")
  })

  it("a browser without Sec-Fetch-Site is judged by its Origin", async () => {
    const foreign = await rawSubmit(await merchant.checkout(), { origin: "https://evil.example" })
    expect(foreign).toBe(403)
    expect(await rawSubmit(await merchant.checkout(), { origin: store.url })).toBe(303)
    expect(await rawSubmit(await merchant.checkout(), { origin: "null" })).toBe(303)
  })

  it("over https the cookie is Secure with the __Host- prefix", async () => {
    const gateway = store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const before = gateway.options.publicUrl
    gateway.options.publicUrl = "https://pay.shop.example"
    try {
      const { response } = await visit(await merchant.checkout())
      expect(response.headers.get("set-cookie")).toMatch(/^__Host-gateway_csrf=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
      expect(response.headers.get("content-security-policy")).toContain("form-action 'self' https:;")
    } finally {
      gateway.options.publicUrl = before
    }
  })

  /** fetch() adds Sec-Fetch-Mode and its like; an old browser sends none of them. */
  async function rawSubmit(checkout: Checkout, headers: Record<string, string>): Promise<number> {
    const { cookie, token } = await visit(checkout)
    const body = new URLSearchParams({ csrf_token: token, ...CARD }).toString()
    return new Promise((resolve, reject) => {
      const type = "application/x-www-form-urlencoded"
      const sent = httpRequest(checkout.page, { method: "POST", headers: { ...headers, cookie, "content-type": type } }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on("error", reject)
      sent.end(body)
    })
  }
})

describe("hosted page: what is posted", () => {
  const malformed: [string, string | Uint8Array<ArrayBuffer>, string?][] = [
    ["a broken escape", "method=%ff"],
    ["a NUL", "method=%00"],
    ["bytes that are not UTF-8", new Uint8Array([0x6d, 0x3d, 0xff, 0xfe])],
    ["an array", "method[]=card"],
    ["__proto__", "__proto__[x]=1"],
    ["a field twice", "method=card&method=wallet"],
    ["JSON", '{"method":"card"}', "application/json"],
    ["broken JSON", '{"method":', "application/json"],
    ["a file upload", "--x--", "multipart/form-data; boundary=x"],
    ["plain text", "method=card", "text/plain"],
  ]
  it.each(malformed)("%s is refused with our own page", async (_, body, type = "application/x-www-form-urlencoded") => {
    const checkout = await merchant.checkout()
    const { response, text } = await submit(checkout, { body, headers: { "Content-Type": type } })
    expect(response.status).toBe(400)
    expectOwnPage(response, text)
    expect(await merchant.status(checkout.transaction_id)).toBe("PENDING")
  })

  it("more than 64 KiB is 413", async () => {
    const { response, text } = await submit(await merchant.checkout(), { body: `card_name=${"a".repeat(70_000)}` })
    expect(response.status).toBe(413)
    expectOwnPage(response, text)
  })

  it("decisions: Sandbox — a card that is no test card is refused by the page and the attempt is not used up", async () => {
    const checkout = await merchant.checkout()
    const refused = await submit(checkout, { fields: { ...CARD, card_number: "4012 8888 8888 1881" } })
    expect(refused.response.status).toBe(422)
    expect(refused.text).toContain("Only test cards work here")
    expect(refused.text).not.toContain("1881")
    expect(refused.text).toContain('value="Rahim Uddin"')
    const { response, location } = await submit(checkout)
    expect(response.status).toBe(303)
    expect(location).toContain("status=SUCCESS")
  })

  it("a date in the past by the merchant's clock is refused", async () => {
    const other = await merchantOf(store, SHOP, "Later House")
    const { now } = await other.advance(3 * 365 * 24 * 60 * 60)
    const month = (years: number) => `${now.slice(5, 7)}/${Number(now.slice(2, 4)) + years}`
    const checkout = await other.checkout()
    const past = await submit(checkout, { fields: { ...CARD, card_expiry: month(-1) } })
    expect(past.response.status).toBe(422)
    expect(past.text).toContain("This card has expired")
    expect((await submit(checkout, { fields: { ...CARD, card_expiry: month(1) } })).response.status).toBe(303)
  })
})

describe("a merchant that may not take payments", () => {
  const MERCHANT = { name: "Closed House" }
  const stops: [string, (id: string) => Promise<unknown>, (id: string) => Promise<unknown>][] = [
    [
      "suspended",
      (id) => gateway().merchants.update(id, { status: "suspended" }),
      (id) => gateway().merchants.update(id, { status: "active" }),
    ],
    [
      "without the service checkout",
      (id) => gateway().merchants.configure({ merchant_id: id, environment: "sandbox" }, { services: ["emi", "subscriptions", "refunds"] }),
      (id) => gateway().merchants.configure({ merchant_id: id, environment: "sandbox" }, { services: ["checkout", "emi", "subscriptions", "refunds"] }),
    ],
  ]
  const gateway = () => store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const METHODS: Record<string, string>[] = [
    CARD,
    { method: "mobile_banking", service: "BKASH", mobile_number: "01712345678", otp: "123456", pin: "12345" },
    { method: "internet_banking", bank: "demo_one" },
    { method: "wallet" },
  ]

  it.each(stops)("%s: an open page says so in both languages and leads back; nothing is charged whatever is posted", async (_name, stop, start) => {
    const other = await merchantOf(store, SHOP, MERCHANT.name)
    const checkout = await other.checkout()
    const { cookie, token } = await visit(checkout)
    await stop(other.id)
    const english = await visit(checkout, { "Accept-Language": "en" })
    const bangla = await visit(checkout, { "Accept-Language": "bn" })
    for (const { response, text } of [english, bangla]) {
      expect(response.status).toBe(403)
      expectOwnPage(response, text)
      expect(text).toContain(`href="${SHOP}/fail?`)
      expect(text).not.toContain("card_number")
    }
    expect(english.text).toContain("This shop cannot take payments at the moment")
    expect(bangla.text).toContain("এই দোকান এখন পেমেন্ট নিতে পারছে না")
    for (const fields of METHODS) {
      const posted = await fetch(checkout.page, {
        method: "POST",
        redirect: "manual",
        headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin", Origin: "null", Cookie: cookie },
        body: new URLSearchParams({ csrf_token: token, ...fields }).toString(),
      })
      expect([fields.method, posted.status]).toEqual([fields.method, 403])
      expect(await posted.text()).toContain("This shop cannot take payments at the moment")
    }
    expect(await store.db("gateway_sandbox_operation").where({ key: checkout.transaction_id })).toEqual([])
    expect(await store.db("gateway_transaction").where({ id: checkout.transaction_id }).first()).toMatchObject({ state: "OPEN", attempt_token: null })
    await start(other.id)
    expect((await submit(checkout)).location).toContain("status=SUCCESS")
  })

  it("the service itself refuses under the lock: whoever suspends first wins, and a payment waits to see", async () => {
    const other = await merchantOf(store, SHOP, MERCHANT.name)
    const { session_id, transaction_id } = await other.checkout()
    const suspending = await store.db.transaction()
    await suspending("gateway_merchant").where({ id: other.id }).forUpdate().first()
    const paying = gateway().payments.pay({ session_id, instrument: { method: "wallet" }, page_url: "http://pay.test" })
    const refused = expect(paying).rejects.toMatchObject({ code: "MERCHANT_SUSPENDED", status: 403 })
    await blocked(store, 1)
    await suspending("gateway_merchant").where({ id: other.id }).update({ status: "suspended" })
    await suspending.commit()
    await refused
    expect(await store.db("gateway_sandbox_operation").where({ key: transaction_id })).toEqual([])
  })

  it("may still have a checkout given up, and what was paid before stays paid", async () => {
    const other = await merchantOf(store, SHOP, MERCHANT.name)
    const [paid, open] = [await other.checkout(), await other.checkout()]
    await submit(paid)
    const { cookie, token } = await visit(open)
    await gateway().merchants.update(other.id, { status: "suspended" })
    expect((await visit(paid)).text).toContain("Payment received")
    const headers = { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin", Origin: "null", Cookie: cookie }
    const cancelled = await fetch(`${open.page}/cancel`, { method: "POST", redirect: "manual", headers, body: new URLSearchParams({ csrf_token: token }).toString() })
    expect(cancelled.headers.get("location")).toContain("status=CANCELLED")
  })
})

describe("contract 4.2 (5) and 3.3: where the shopper goes", () => {
  it("paid: success_url with the outcome appended to its own query", async () => {
    const checkout = await merchant.checkout({ order_id: "PAGE-OK" })
    const { response, location } = await submit(checkout)
    expect(response.status).toBe(303)
    expect(location).toBe(`${SHOP}/success?from=shop&transaction_id=${checkout.transaction_id}&status=SUCCESS&order_id=PAGE-OK`)
    expect(await merchant.status(checkout.transaction_id)).toBe("SUCCESS")
  })

  it("declined: fail_url, and the decline is final", async () => {
    const checkout = await merchant.checkout()
    const declined = await submit(checkout, { fields: { ...CARD, card_number: "4000000000000002" } })
    expect(declined.location).toContain(`${SHOP}/fail?transaction_id=${checkout.transaction_id}&status=FAILED`)
    const page = await visit(checkout)
    expect(page.text).toContain("The card was declined by its bank.")
    expect(page.text).not.toContain("csrf_token")
  })

  it("cancelled: cancel_url; paying afterwards is refused with 409", async () => {
    const checkout = await merchant.checkout()
    const open = await visit(checkout)
    const cancelled = await submit(checkout, { path: "/cancel", fields: {} })
    expect(cancelled.response.status).toBe(303)
    expect(cancelled.location).toContain(`${SHOP}/cancel?transaction_id=${checkout.transaction_id}&status=CANCELLED`)
    const body = new URLSearchParams({ ...CARD, csrf_token: open.token }).toString()
    const late = await submit(checkout, { body, headers: { Cookie: open.cookie } })
    expect(late.response.status).toBe(409)
    expectOwnPage(late.response, late.text)
  })

  it("expired: 408 with the way to fail_url, to look at, to pay and to cancel (decisions: Checkout)", async () => {
    const other = await merchantOf(store, SHOP, "Slow House")
    const checkout = await other.checkout()
    const open = await visit(checkout)
    await other.advance(31 * 60)
    const body = new URLSearchParams({ ...CARD, csrf_token: open.token }).toString()
    const looked = await visit(checkout)
    const paid = await submit(checkout, { body, headers: { Cookie: open.cookie } })
    const cancelled = await submit(checkout, { path: "/cancel", body, headers: { Cookie: open.cookie } })
    for (const { response, text } of [looked, paid, cancelled]) {
      expect(response.status).toBe(408)
      expectOwnPage(response, text)
      expect(text).toContain(`href="${SHOP}/fail?transaction_id=${checkout.transaction_id}&amp;status=EXPIRED`)
    }
    expect(await other.status(checkout.transaction_id)).toBe("EXPIRED")
  })

  it("decisions: Checkout — one session paid 16 times at once is paid once, and every press ends at the outcome", async () => {
    const checkout = await merchant.checkout()
    const { cookie, token } = await visit(checkout)
    const body = new URLSearchParams({ csrf_token: token, ...CARD }).toString()
    const all = await Promise.all(Array.from({ length: 16 }, () => submit(checkout, { body, headers: { Cookie: cookie } })))
    expect(all.map(({ response }) => response.status)).toEqual(Array(16).fill(303))
    const elsewhere = all.filter(({ location }) => !/status=SUCCESS|\?wait=1$/.test(location))
    expect(elsewhere).toEqual([])
    const { rows } = await store.db.raw(
      "SELECT count(*)::int AS charges FROM gateway_sandbox_operation WHERE key = ?",
      [checkout.transaction_id]
    )
    expect(rows).toEqual([{ charges: 1 }])
    const waited = await fetch(`${checkout.page}?wait=1`, { redirect: "manual" })
    expect(waited.headers.get("location")).toContain("status=SUCCESS")
  })

  it("a payment in hand shows that it is being confirmed, refreshes by itself and is not asked about twice", async () => {
    const checkout = await merchant.checkout()
    await store.db.raw("UPDATE gateway_transaction SET state = 'PROCESSING' WHERE id = ?", [checkout.transaction_id])
    const { response, text } = await visit(checkout)
    expect(response.status).toBe(200)
    expect(response.headers.get("refresh")).toBe(`3; url=/pay/${checkout.session_id}?wait=1`)
    expect(text).toContain("Your payment is being confirmed")
    expect(text).toContain("status=PENDING")
    const pressed = await fetch(`${checkout.page}/return`, { redirect: "manual" })
    expect(pressed.headers.get("location")).toBe(`/pay/${checkout.session_id}?wait=1`)
  })
})

describe("hosted page: errors within", () => {
  it("are our own 500 page with the way to look again, and tell nothing", async () => {
    const checkout = await merchant.checkout()
    const gateway = store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const broken = jest.spyOn(gateway.checkoutPages, "page").mockRejectedValue(new Error("relation gateway_secret is gone"))
    try {
      const { response, text } = await visit(checkout)
      expect(response.status).toBe(500)
      expectOwnPage(response, text)
      expect(text).not.toContain("gateway_secret")
      expect(text).toContain(`href="/pay/${checkout.session_id}"`)
    } finally {
      broken.mockRestore()
    }
  })
})

describe("hosted page: languages", () => {
  it("follow the browser, can be switched, and the choice is remembered", async () => {
    const checkout = await merchant.checkout()
    expect((await visit(checkout, { "Accept-Language": "bn-BD,bn;q=0.9" })).text).toContain("৳১,২৩৪.৫০")
    const switched = await fetch(`${checkout.page}?lang=bn`, { headers: { "Accept-Language": "en" } })
    expect(switched.headers.get("content-language")).toBe("bn")
    const cookie = switched.headers.getSetCookie().find((line) => line.startsWith("gateway_lang=")) ?? ""
    const remembered = await visit(checkout, { Cookie: cookie.split(";")[0], "Accept-Language": "en" })
    expect(remembered.text).toContain('<html lang="bn">')
  })
})

describe("decisions: Limits of anonymous visitors", () => {
  let addresses = 0
  const elsewhere = () => ({ "X-Forwarded-For": `198.51.100.${(addresses += 1)}` })
  const limits = () => store.container.resolve<GatewayModuleService>(GATEWAY_MODULE).options.pageLimits
  let off: ReturnType<typeof limits>

  beforeEach(() => {
    off = { ...limits() }
  })
  afterEach(() => {
    Object.assign(limits(), off)
  })

  const times = (count: number) => Array.from({ length: count })
  /** The statuses of requests one after the other. */
  async function statuses(count: number, ask: () => Promise<Response>): Promise<number[]> {
    const found: number[] = []
    while (found.length < count) {
      found.push((await ask()).status)
    }
    return found
  }

  it("requests of an address: past them our own 429 page with Retry-After, in both languages; the page's own files go on", async () => {
    const checkout = await merchant.checkout()
    limits().address = 3
    const headers = elsewhere()
    const { text: page } = await visit(checkout)
    expect(await statuses(3, () => fetch(checkout.page, { headers }))).toEqual([200, 200, 200])
    for (const [language, title] of [["en", "Please wait a moment"], ["bn", "অনুগ্রহ করে একটু অপেক্ষা করুন"]]) {
      const { response, text } = await visit(checkout, { ...headers, "Accept-Language": language })
      expect([response.status, response.headers.get("content-language")]).toEqual([429, language])
      expectOwnPage(response, text)
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
      expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(60)
      expect(text).toContain(title)
      expect(text).toContain(`href="/pay/${checkout.session_id}"`)
    }
    expect((await fetch(`${store.url}/pay/nothing`, { headers })).status).toBe(429)
    const [, style] = /"(\/pay\/assets\/[^"]+\.css)"/.exec(page) ?? []
    expect((await fetch(store.url + style, { headers })).status).toBe(200)
    expect((await fetch(checkout.page, { headers: elsewhere() })).status).toBe(200)
    expect((await fetch(checkout.page, { headers: { "X-Forwarded-For": `203.0.113.9, ${headers["X-Forwarded-For"]}` } })).status).toBe(429)
  })

  it("an IPv6 customer is counted by the /64, and an IPv4-mapped address as IPv4", async () => {
    const checkout = await merchant.checkout()
    limits().address = 2
    const from = (address: string) => fetch(checkout.page, { headers: { "X-Forwarded-For": address } })
    const [mapped, plain] = ["::ffff:198.51.101.7", "198.51.101.7"]
    const found = [await from("2001:db8:9:1::1"), await from("2001:db8:9:1:a:b:c:d"), await from("2001:db8:9:1::2"), await from("2001:db8:9:2::1")]
    expect(found.map(({ status }) => status)).toEqual([200, 200, 429, 200])
    expect([(await from(mapped)).status, (await from(plain)).status, (await from(mapped)).status]).toEqual([200, 200, 429])
  })

  it("requests about one checkout, from whatever addresses; another checkout is not meant", async () => {
    const [checkout, other] = [await merchant.checkout(), await merchant.checkout()]
    limits().session = 4
    const look = ({ page }: Checkout) => fetch(page, { headers: elsewhere() })
    expect(await statuses(5, () => look(checkout))).toEqual([200, 200, 200, 200, 429])
    expect((await look(other)).status).toBe(200)
  })

  it("forms posted to one checkout, and from one address; looking at it goes on", async () => {
    const checkout = await merchant.checkout()
    const { cookie, token } = await visit(checkout)
    const body = new URLSearchParams({ csrf_token: token, ...CARD, card_number: "4242" }).toString()
    const send = (headers = elsewhere()) => submit(checkout, { body, headers: { Cookie: cookie, ...headers } })
    limits().sessionForms = 3
    const answers = await Promise.all(times(10).map(() => send()))
    expect(answers.map(({ response }) => response.status).sort()).toEqual([422, 422, 422, ...times(7).map(() => 429)])
    expect((await visit(checkout)).response.status).toBe(200)
    Object.assign(limits(), { sessionForms: 0, addressForms: 2 })
    const headers = elsewhere()
    expect([(await send(headers)).response.status, (await send(headers)).response.status, (await send(headers)).response.status]).toEqual([422, 422, 429])
    expect(await merchant.status(checkout.transaction_id)).toBe("PENDING")
  })

  it("coming back from the acquirer: it is asked once in a while, however often and by however many the address is loaded", async () => {
    const checkout = await merchant.checkout()
    const gateway = store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const shown = { ...(await gateway.checkoutPages.page(checkout.session_id)), processing: true, acquirer_flow: "redirect" as const }
    const page = jest.spyOn(gateway.checkoutPages, "page").mockResolvedValue(shown)
    const pending = { transaction_id: checkout.transaction_id, order_id: "x", status: "PENDING", redirect_url: checkout.page, error_code: null } as const
    let answer = () => undefined as void
    const asked = new Promise<void>((done) => (answer = done))
    const asking = jest.spyOn(gateway.payments, "confirm").mockImplementation(() => asked.then(() => pending))
    const back = (method = "GET") => fetch(`${checkout.page}/return`, { method, redirect: "manual", headers: elsewhere() })
    try {
      limits().returnSeconds = 5
      const first = back()
      while (asking.mock.calls.length === 0) {
        await new Promise((done) => setImmediate(done))
      }
      const others = await Promise.all(times(8).map((_, index) => back(index % 2 === 0 ? "GET" : "POST")))
      answer()
      const located = [await first, ...(await Promise.all(times(4).map(() => back())))]
      expect(located.map(({ status }) => status)).toEqual([303, 200, 200, 200, 200])
      expect(new Set(others.map((response) => `${response.status} ${response.headers.get("refresh")}`))).toEqual(new Set([`200 5; url=/pay/${checkout.session_id}/return`]))
      expect(asking).toHaveBeenCalledTimes(1)
      limits().returnSeconds = 0
      await back()
      expect(asking).toHaveBeenCalledTimes(2)
    } finally {
      page.mockRestore()
      asking.mockRestore()
    }
  })

  it("GET /gateway/return: a page for a browser, JSON for whoever reads JSON", async () => {
    limits().address = 1
    const headers = elsewhere()
    const ask = (accept: string) => fetch(`${store.url}/gateway/return?transaction_id=txn${"0".repeat(32)}`, { headers: { ...headers, Accept: accept } })
    expect((await ask("*/*")).status).toBe(404)
    const json = await ask("application/json")
    expect([json.status, json.headers.get("retry-after"), await json.json()]).toEqual([429, expect.stringMatching(/^\d+$/), { type: "too_many_requests", message: expect.any(String) }])
    const page = await ask("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expectOwnPage(page, await page.text())
  })
})

describe("decisions: Card testing", () => {
  const gateway = () => store.container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const OFF = { cardsPerSession: 0, cardsPerAddress: 0, cardsPerMerchant: 0 }
  let hosts = 0
  const elsewhere = () => `198.51.102.${(hosts += 1)}`
  /** A number of its own that is a card's but no test card's. */
  const cards = (count: number) => Array.from({ length: count }, (_, index) => withCheckDigit(`40128888${String(index).padStart(7, "0")}`))

  afterEach(() => Object.assign(gateway().options.pageLimits, OFF))

  const tried = async (checkout: Checkout, card_number: string, address = elsewhere()) => {
    const { response, text } = await submit(checkout, { fields: { ...CARD, card_number }, headers: { "X-Forwarded-For": address } })
    return { status: response.status, wait: Number(response.headers.get("retry-after")), text }
  }

  it("who mistypes twice, and tries one card again and again, notices nothing; the attempt is not used up", async () => {
    gateway().options.pageLimits.cardsPerSession = 8
    const checkout = await merchant.checkout()
    const [first, second] = cards(2)
    for (const number of [first, second, first, first, second, first, second, first, first]) {
      expect((await tried(checkout, number)).status).toBe(422)
    }
    expect((await tried(checkout, "4242424242424242")).status).toBe(303)
    expect(await merchant.status(checkout.transaction_id)).toBe("SUCCESS")
  })

  it("many cards on one checkout, from whatever addresses, are slowed down, then refused: metric, audit log, and no number anywhere", async () => {
    const own = await merchantOf(store, SHOP, "Tested House")
    const checkout = await own.checkout()
    gateway().options.pageLimits.cardsPerSession = 4
    const numbers = cards(20)
    const before = await strikes("session")
    const three = [await tried(checkout, numbers[0]), await tried(checkout, numbers[1]), await tried(checkout, numbers[2])]
    expect(three.map(({ status }) => status)).toEqual([422, 422, 422])
    // The fourth may be tried, and is the last one.
    const [fourth, hasty] = [await tried(checkout, numbers[3]), await tried(checkout, "4242424242424242")]
    expect([fourth.status, hasty.status]).toEqual([422, 429])
    expect(hasty.wait).toBeGreaterThan(60)
    expect(hasty.text).toContain("Several payments were refused one after the other")
    expect((await visit(checkout)).response.status).toBe(200)
    expect(await own.status(checkout.transaction_id)).toBe("PENDING")
    expect((await strikes("session")) - before).toBe(1)
    const entries = await store.db("gateway_audit_entry").where({ merchant_id: own.id, action: "card_testing.suspected" })
    expect(entries).toMatchObject([{ resource_id: checkout.transaction_id, actor_type: "system", changes: { counted_by: { to: "session" }, failed_cards: { to: 4 } } }])
    expect(JSON.stringify(entries)).not.toMatch(/40128888|ses_/)
  })

  it("before any is refused, a pause is asked for between one card and the next", async () => {
    gateway().options.pageLimits.cardsPerSession = 30
    const checkout = await merchant.checkout()
    const [first, second, ...others] = cards(20)
    const trial = { ...checkout, merchant_id: merchant.id, environment: "sandbox", address: elsewhere() } as const
    for (const number of others) {
      await gateway().cardTesting.failed(trial, number)
    }
    const [one, other] = [await tried(checkout, first), await tried(checkout, second)]
    expect([one.status, other.status]).toEqual([422, 429])
    expect(other.wait).toBeGreaterThanOrEqual(1)
    expect(other.wait).toBeLessThanOrEqual(60)
  })

  it("many cards from one address, each on a checkout of its own; other addresses go on", async () => {
    gateway().options.pageLimits.cardsPerAddress = 3
    const address = elsewhere()
    const answers = []
    for (const number of cards(5)) {
      answers.push((await tried(await merchant.checkout(), number, address)).status)
    }
    expect(answers).toEqual([422, 422, 422, 429, 429])
    const declined = await tried(await merchant.checkout(), "4000000000000002")
    expect(declined.status).toBe(303)
    expect((await tried(await merchant.checkout(), "4242424242424242")).status).toBe(303)
  })

  it("many cards at one merchant from many addresses: nobody is shut out who mistypes twice, others have less patience to expect", async () => {
    const own = await merchantOf(store, SHOP, "Besieged House")
    Object.assign(gateway().options.pageLimits, { cardsPerSession: 8, cardsPerMerchant: 6 })
    for (const number of cards(6)) {
      await tried(await own.checkout(), number)
    }
    const checkout = await own.checkout()
    const numbers = cards(12).slice(6)
    const answers = []
    for (const number of numbers.slice(0, 4)) {
      answers.push((await tried(checkout, number)).status)
    }
    expect(answers).toEqual([422, 422, 422, 429])
    const shopper = await own.checkout()
    expect([(await tried(shopper, numbers[4])).status, (await tried(shopper, numbers[5])).status, (await tried(shopper, "4242424242424242")).status]).toEqual([422, 422, 303])
    const elsewhereMerchant = await merchant.checkout()
    expect((await tried(elsewhereMerchant, "4242424242424242")).status).toBe(303)
  })

  it("decisions: Sandbox — the helper for merchants' own tests is not counted", async () => {
    Object.assign(gateway().options.pageLimits, { cardsPerSession: 1, cardsPerAddress: 1, cardsPerMerchant: 1 })
    const owner = await newMerchant(store)
    const { session_id } = await owner.open()
    for (const card_number of cards(4)) {
      expect((await owner.pay(session_id, { payment_method: "card", card_number })).status).toBe(422)
    }
    expect((await owner.pay(session_id)).status).toBe(200)
  })

  async function strikes(counted_by: string): Promise<number> {
    const { values } = await cardTestingStrikes.get()
    return values.filter(({ labels }) => labels.counted_by === counted_by).reduce((sum, { value }) => sum + value, 0)
  }

  function withCheckDigit(digits: string): string {
    return [...Array(10).keys()].map((digit) => `${digits}${digit}`).find(isCardNumber) ?? ""
  }
})
