import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http"
import type { Socket } from "node:net"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { blocked } from "../support/locks"
import { attemptsOf, gatewayOf, newMerchant } from "../support/api"
import { merchantOf, type Checkout, type Merchant } from "../support/checkouts"
import { CARD, expectOwnPage, submit, visitCheckout as visit, type Submission } from "../support/pages"
import { useStore } from "../support/store"

const SHOP = "http://127.0.0.1:9"
const store = useStore({ production: true })
let merchant: Merchant

beforeAll(async () => {
  merchant = await merchantOf(store, SHOP)
})

/** Does the work while the table that every session's page is read from is renamed: its queries fail. */
async function withoutSessions<Result>(work: () => Promise<Result>): Promise<Result> {
  await store.db.raw("ALTER TABLE gateway_checkout_session RENAME TO gateway_secret")
  try {
    return await work()
  } finally {
    await store.db.raw("ALTER TABLE gateway_secret RENAME TO gateway_checkout_session")
  }
}

describe("hosted page: headers", () => {
  it("are strict, forbid framing and caching, and reveal nothing of the server", async () => {
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

/** Answers to GET or HEAD as they come over the wire: fetch() would undo what is tested here. */
class Wire {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 })
  private socket: Socket | undefined

  /** What one connection has received, headers included. */
  get bytes(): number {
    return this.socket?.bytesRead ?? 0
  }

  ask(url: string, accepted: string | null, more: { method?: string; key?: string } = {}) {
    const headers: Record<string, string> = accepted === null ? {} : { "Accept-Encoding": accepted }
    if (more.key !== undefined) {
      headers["X-Merchant-API-Key"] = more.key
    }
    return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
      httpRequest(url, { agent: this.agent, method: more.method ?? "GET", headers }, (response) => {
        this.socket = response.socket
        const parts: Buffer[] = []
        response.on("data", (part: Buffer) => parts.push(part))
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) })
        )
        response.on("error", reject)
      })
        .on("error", reject)
        .end()
    })
  }

  close(): void {
    this.agent.destroy()
  }
}

describe("hosted page: compression", () => {
  let wire: Wire
  beforeEach(() => {
    wire = new Wire()
  })
  afterEach(() => wire.close())

  it.each([
    ["br", "en", brotliDecompressSync],
    ["gzip", "en", gunzipSync],
    ["br", "bn", brotliDecompressSync],
    ["gzip", "bn", gunzipSync],
  ] as const)("with %s the page in %s and its files are under 25 kB on the wire", async (encoding, lang, decode) => {
    const { page } = await merchant.checkout()
    const shown = await wire.ask(`${page}?lang=${lang}`, `${encoding}, deflate`)
    expect(shown.headers["content-encoding"]).toBe(encoding)
    expect(shown.headers.vary).toBe("Accept-Encoding")
    const text = decode(shown.body).toString("utf8")
    expect(text).toContain("</html>")
    const files = [...text.matchAll(/"(\/pay\/assets\/[^"]+)"/g)].map((match) => match[1])
    expect(files).toHaveLength(3)
    for (const file of files) {
      const { status, headers, body } = await wire.ask(store.url + file, encoding)
      expect(status).toBe(200)
      expect(headers["content-encoding"]).toBe(file.endsWith(".svg") ? undefined : encoding)
      expect(Number(headers["content-length"])).toBe(body.length)
      const plain = await fetch(store.url + file, { headers: { "Accept-Encoding": "identity" } })
      expect(file.endsWith(".svg") ? body : decode(body)).toEqual(Buffer.from(await plain.arrayBuffer()))
    }
    expect(wire.bytes).toBeLessThan(25_000)
  })

  it("a client that accepts neither gets everything as it is", async () => {
    const { page } = await merchant.checkout()
    for (const accepted of [null, "identity", "br;q=0, gzip;q=0", "zstd"]) {
      const shown = await wire.ask(page, accepted)
      expect(shown.headers["content-encoding"]).toBeUndefined()
      const text = shown.body.toString("utf8")
      const script = /\/pay\/assets\/page\.[0-9a-f]+\.js/.exec(text)?.[0]
      const file = await wire.ask(store.url + script, accepted)
      expect([file.status, file.headers["content-encoding"], file.headers.vary]).toEqual([
        200,
        undefined,
        "Accept-Encoding",
      ])
      expect(file.body.toString("utf8")).toContain('"use strict"')
    }
  })

  it("HEAD has no body, and the next request on the connection is answered", async () => {
    const { page } = await merchant.checkout()
    const head = await wire.ask(page, "br", { method: "HEAD" })
    expect([head.status, head.body.length]).toEqual([200, 0])
    const text = brotliDecompressSync((await wire.ask(page, "br")).body).toString("utf8")
    const styles = store.url + /\/pay\/assets\/page\.[0-9a-f]+\.css/.exec(text)?.[0]
    const file = await wire.ask(styles, "br")
    const headOfFile = await wire.ask(styles, "br", { method: "HEAD" })
    expect([headOfFile.body.length, headOfFile.headers["content-length"]]).toEqual([0, String(file.body.length)])
  })

  it("a refusal's page is compressed too", async () => {
    const unknown = await wire.ask(`${store.url}/pay/ses_${"a".repeat(32)}`, "gzip")
    expect([unknown.status, unknown.headers["content-encoding"]]).toEqual([404, "gzip"])
    expect(gunzipSync(unknown.body).toString("utf8")).toContain("<!doctype html>")
  })

  it("answers of /api/v2 are compressed from one kilobyte on", async () => {
    const owner = await newMerchant(store)
    const small = await wire.ask(`${store.url}/api/v2/payments/subscription-plans`, "br, gzip", { key: owner.key })
    expect([small.status, small.headers["content-encoding"], small.headers.vary]).toEqual([
      200,
      undefined,
      "Accept-Encoding",
    ])
    expect(Number(small.headers["content-length"])).toBe(small.body.length)
    for (let number = 0; number < 5; number += 1) {
      const plan = { plan_name: `Plan ${number}`, amount: "500.00", interval_count: 1, interval_unit: "MONTH" }
      expect((await owner.call("POST", "/payments/subscription-plans", plan)).status).toBe(201)
    }
    const long = await wire.ask(`${store.url}/api/v2/payments/subscription-plans`, "br, gzip", { key: owner.key })
    expect(long.headers["content-encoding"]).toBe("br")
    expect(brotliDecompressSync(long.body).toString("utf8")).toContain("Plan 4")
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
    ["a long id", `/pay/ses_${"a".repeat(2000)}`],
    ["no file of ours", "/pay/assets/nothing.css"],
    ["a file with a broken escape", "/pay/assets/%ff"],
  ])("%s is our own 404 page, and no query is made", async (_, path) => {
    const response = await withoutSessions(() => fetch(store.url + path))
    expect(response.status).toBe(404)
    expectOwnPage(response, await response.text())
  })

  it("an endless address is our own 414 page, and no query is made", async () => {
    const response = await withoutSessions(() => fetch(`${store.url}/pay/ses_${"a".repeat(5000)}`))
    expect(response.status).toBe(414)
    expectOwnPage(response, await response.text())
  })

  it("an unknown session is 404, to look at and to pay", async () => {
    const unknown = {
      session_id: `ses_${"a".repeat(32)}`,
      transaction_id: "",
      page: `${store.url}/pay/ses_${"a".repeat(32)}`,
    }
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

  /** fetch() adds Sec-Fetch-Mode and similar headers; an old browser sends none of them. */
  async function rawSubmit(checkout: Checkout, headers: Record<string, string>): Promise<number> {
    const { cookie, token } = await visit(checkout)
    const body = new URLSearchParams({ csrf_token: token, ...CARD }).toString()
    return new Promise((resolve, reject) => {
      const type = "application/x-www-form-urlencoded"
      const sent = httpRequest(
        checkout.page,
        { method: "POST", headers: { ...headers, cookie, "content-type": type } },
        (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        }
      )
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
      (id) =>
        gateway().merchants.configure(
          { merchant_id: id, environment: "sandbox" },
          { services: ["emi", "subscriptions", "refunds"] }
        ),
      (id) =>
        gateway().merchants.configure(
          { merchant_id: id, environment: "sandbox" },
          { services: ["checkout", "emi", "subscriptions", "refunds"] }
        ),
    ],
  ]
  const gateway = () => gatewayOf(store)
  const METHODS: Record<string, string>[] = [
    CARD,
    { method: "mobile_banking", service: "BKASH", mobile_number: "01712345678", otp: "123456", pin: "12345" },
    { method: "internet_banking", bank: "demo_one" },
    { method: "wallet" },
  ]

  it.each(stops)(
    "%s: an open page says so in both languages and leads back; nothing is charged whatever is posted",
    async (_name, stop, start) => {
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
          headers: {
            "Content-Type": "application/x-www-form-urlencoded",
            "Sec-Fetch-Site": "same-origin",
            Origin: "null",
            Cookie: cookie,
          },
          body: new URLSearchParams({ csrf_token: token, ...fields }).toString(),
        })
        expect([fields.method, posted.status]).toEqual([fields.method, 403])
        expect(await posted.text()).toContain("This shop cannot take payments at the moment")
      }
      expect(
        await store.db("gateway_sandbox_operation").whereIn("key", attemptsOf(store, checkout.transaction_id))
      ).toEqual([])
      expect(await store.db("gateway_transaction").where({ id: checkout.transaction_id }).first()).toMatchObject({
        state: "OPEN",
        attempt_id: null,
      })
      await start(other.id)
      expect((await submit(checkout)).location).toContain("status=SUCCESS")
    }
  )

  it("the service itself refuses under the lock: a suspension that comes first wins, and a payment waits for it", async () => {
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
    expect(await store.db("gateway_sandbox_operation").whereIn("key", attemptsOf(store, transaction_id))).toEqual([])
  })

  it("may still have a checkout given up, and what was paid before stays paid", async () => {
    const other = await merchantOf(store, SHOP, MERCHANT.name)
    const [paid, open] = [await other.checkout(), await other.checkout()]
    await submit(paid)
    const { cookie, token } = await visit(open)
    await gateway().merchants.update(other.id, { status: "suspended" })
    expect((await visit(paid)).text).toContain("Payment received")
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      "Sec-Fetch-Site": "same-origin",
      Origin: "null",
      Cookie: cookie,
    }
    const cancelled = await fetch(`${open.page}/cancel`, {
      method: "POST",
      redirect: "manual",
      headers,
      body: new URLSearchParams({ csrf_token: token }).toString(),
    })
    expect(cancelled.headers.get("location")).toContain("status=CANCELLED")
  })
})

describe("contract 4.2 (5) and 3.3: where the shopper goes", () => {
  it("paid: success_url with the outcome appended to its own query", async () => {
    const checkout = await merchant.checkout({ order_id: "PAGE-OK" })
    const { response, location } = await submit(checkout)
    expect(response.status).toBe(303)
    expect(location).toBe(
      `${SHOP}/success?from=shop&transaction_id=${checkout.transaction_id}&status=SUCCESS&order_id=PAGE-OK`
    )
    expect(await merchant.status(checkout.transaction_id)).toBe("SUCCESS")
  })

  it("decisions: Checkout — declined: back on the page, which says why and takes another card", async () => {
    const checkout = await merchant.checkout()
    const declined = await submit(checkout, { fields: { ...CARD, card_number: "4000000000000002" } })
    expect([declined.response.status, new URL(declined.location).pathname]).toEqual([
      303,
      `/pay/${checkout.session_id}`,
    ])
    const page = await visit(checkout)
    expect(page.response.status).toBe(200)
    expect(page.text).toContain("The payment did not go through")
    expect(page.text).toContain("The card was declined by its bank.")
    expect(page.text).toContain("You can try 2 more times, in the same or in another way.")
    expect(page.text).toContain("Return to Nakshi House")
    expect(page.text).toContain('value="card" checked')
    expect(page.text).not.toMatch(/value="4000/)
    expect(await merchant.status(checkout.transaction_id)).toBe("PENDING")
    expect((await submit(checkout)).location).toContain(`${SHOP}/success?from=shop&transaction_id=`)
    expect(await merchant.status(checkout.transaction_id)).toBe("SUCCESS")
  })

  it("decisions: Checkout — declined for the last time: fail_url, and the decline is final", async () => {
    const checkout = await merchant.checkout()
    const fields = { ...CARD, card_number: "4000000000000002" }
    const locations = [await submit(checkout, { fields }), await submit(checkout, { fields })].map(
      ({ location }) => new URL(location).pathname
    )
    expect(locations).toEqual(Array(2).fill(`/pay/${checkout.session_id}`))
    expect((await visit(checkout)).text).toContain("You can try once more, in the same or in another way.")
    const last = await submit(checkout, { fields })
    expect(last.location).toContain(`${SHOP}/fail?transaction_id=${checkout.transaction_id}&status=FAILED`)
    const page = await visit(checkout)
    expect(page.text).toContain("The card was declined by its bank.")
    expect(page.text).not.toContain("csrf_token")
  })

  it("decisions: Checkout — Return to the shop after a decline: fail_url, and the payment has failed with that decline", async () => {
    const checkout = await merchant.checkout()
    await submit(checkout, { fields: { ...CARD, card_number: "4000000000009995" } })
    const { cookie, token } = await visit(checkout)
    const left = await submit(checkout, { path: "/cancel", fields: {} })
    expect(left.location).toContain(`${SHOP}/fail?transaction_id=${checkout.transaction_id}&status=FAILED`)
    expect((await visit(checkout)).text).toContain("There was not enough money in the account.")
    const late = { body: new URLSearchParams({ ...CARD, csrf_token: token }).toString(), headers: { Cookie: cookie } }
    expect((await submit(checkout, late)).location).toContain(`${SHOP}/fail?transaction_id=`)
    expect(await merchant.status(checkout.transaction_id)).toBe("FAILED")
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

  it("expired: 410 with the way to fail_url, to look at, to pay and to cancel (decisions: Checkout)", async () => {
    const other = await merchantOf(store, SHOP, "Slow House")
    const checkout = await other.checkout()
    const open = await visit(checkout)
    await other.advance(31 * 60)
    const body = new URLSearchParams({ ...CARD, csrf_token: open.token }).toString()
    const looked = await visit(checkout)
    const paid = await submit(checkout, { body, headers: { Cookie: open.cookie } })
    const cancelled = await submit(checkout, { path: "/cancel", body, headers: { Cookie: open.cookie } })
    for (const { response, text } of [looked, paid, cancelled]) {
      expect(response.status).toBe(410)
      expectOwnPage(response, text)
      expect(text).toContain(`href="${SHOP}/fail?transaction_id=${checkout.transaction_id}&amp;status=EXPIRED`)
    }
    expect(await other.status(checkout.transaction_id)).toBe("EXPIRED")
  })

  it("decisions: Checkout — one session paid 16 times at once is paid once, and every press ends at the outcome", async () => {
    const checkout = await merchant.checkout()
    const { cookie, token } = await visit(checkout)
    const body = new URLSearchParams({ csrf_token: token, ...CARD }).toString()
    const all = await Promise.all(
      Array.from({ length: 16 }, () => submit(checkout, { body, headers: { Cookie: cookie } }))
    )
    expect(all.map(({ response }) => response.status)).toEqual(Array(16).fill(303))
    const elsewhere = all.filter(({ location }) => !/status=SUCCESS|\?wait=1$/.test(location))
    expect(elsewhere).toEqual([])
    const { rows } = await store.db.raw(
      "SELECT count(*)::int AS charges FROM gateway_sandbox_operation WHERE key IN (SELECT id FROM gateway_payment_attempt WHERE transaction_id = ?)",
      [checkout.transaction_id]
    )
    expect(rows).toEqual([{ charges: 1 }])
    const waited = await fetch(`${checkout.page}?wait=1`, { redirect: "manual" })
    expect(waited.headers.get("location")).toContain("status=SUCCESS")
  })

  it("a running payment shows that it is being confirmed, refreshes automatically and is not asked about twice", async () => {
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
  it("are our own 500 page with a link to retry, without details", async () => {
    const checkout = await merchant.checkout()
    store.expectServerError(/^500 GET \/pay\//)
    const { response, text } = await withoutSessions(() => visit(checkout))
    expect(response.status).toBe(500)
    expectOwnPage(response, text)
    expect(text).not.toMatch(/gateway_|relation/)
    expect(text).toContain(`href="/pay/${checkout.session_id}"`)
  })
})

describe("hosted page: the order's number", () => {
  it("docs/decisions/16: is the merchant's own order_id, before and after the payment, and is not said twice", async () => {
    const checkout = await merchant.checkout({ order_id: "INV-2026-0042" })
    expect((await visit(checkout)).text).toContain("Order <bdi>INV-2026-0042</bdi>")
    await submit(checkout)
    const { text } = await visit(checkout)
    expect(text.split("INV-2026-0042</bdi>")).toHaveLength(2)
    expect(text).toContain(`<bdi>${checkout.transaction_id}</bdi>`)
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

  const languageOf = async (response: Response) => {
    const shown = /<html lang="(..)">/.exec(await response.text())?.[1]
    expect(response.headers.get("content-language")).toBe(shown)
    return shown
  }
  const open = (page: string, cookie = "") =>
    fetch(page, { headers: { "Accept-Language": "en-GB,en;q=0.9", Cookie: cookie } })

  it("docs/decisions/16: the page opens in the shop's language, and every other page of the checkout too", async () => {
    const other = await merchantOf(store, SHOP, "Bangla House")
    const checkout = await other.checkout({ payment_info: { language: "bn" } })
    expect(await languageOf(await open(checkout.page))).toBe("bn")
    const foreign = await fetch(checkout.page, { method: "POST", headers: { "Accept-Language": "en" } })
    expect([foreign.status, await languageOf(foreign)]).toEqual([400, "bn"])
    const refused = await submit(checkout, { fields: { ...CARD, card_cvc: "" }, headers: { "Accept-Language": "en" } })
    expect([refused.response.status, await refused.response.headers.get("content-language")]).toEqual([422, "bn"])
    await other.advance(31 * 60)
    const expired = await open(checkout.page)
    expect([expired.status, await languageOf(expired)]).toEqual([410, "bn"])
  })

  it("docs/decisions/16: the shopper's own choice goes first, on this page and on those of later checkouts", async () => {
    const payment_info = { locale: "bn-BD" }
    const first = await merchant.checkout({ payment_info })
    const switched = await open(`${first.page}?lang=en`)
    const cookie = switched.headers.getSetCookie().find((line) => line.startsWith("gateway_lang=")) ?? ""
    expect(await languageOf(switched)).toBe("en")
    expect(cookie).toContain("gateway_lang=en; Max-Age=31536000; Path=/pay")
    const [chosen] = cookie.split(";")
    expect(await languageOf(await open(first.page, chosen))).toBe("en")
    expect(await languageOf(await open((await merchant.checkout({ payment_info })).page, chosen))).toBe("en")
  })

  it("docs/decisions/16: the shop's language is not remembered: the next shop's page has its own", async () => {
    const bangla = await open((await merchant.checkout({ payment_info: { language: "bn" } })).page)
    expect(bangla.headers.getSetCookie().join()).not.toContain("gateway_lang")
    const [cookie] = (bangla.headers.get("set-cookie") ?? "").split(";")
    expect(
      await languageOf(await open((await merchant.checkout({ payment_info: { language: "en" } })).page, cookie))
    ).toBe("en")
    expect(await languageOf(await open((await merchant.checkout()).page, cookie))).toBe("en")
  })
})
