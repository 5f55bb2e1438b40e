import { PAGE_AREAS } from "../../src/api/pages"
import { newMerchant, type ApiMerchant } from "../support/api"
import { CartShop } from "../support/carts"
import { CARD } from "../support/pages"
import { comparable, locationOf, PageReader, type Recorded } from "../support/recorded"
import type { ServerProcess } from "../support/server-process"
import { useStore } from "../support/store"
import { METRICS_TOKEN } from "../support/store-options"
import { someone } from "../support/subscriptions"

/*
 * docs/decisions/0069: an API process answers the payment page, the portal and the acquirers' addresses as the store
 * does, to the byte. As in serve.spec.ts both are the real programs on one database; each is asked the same, about a
 * merchant of its own.
 */

/** The store takes what the API process asks of it: the orders of carts. */
const store = useStore({
  production: true,
  shop: true,
  env: {
    GATEWAY_PUBLIC_URL: "https://pay.example.com",
    GATEWAY_PAGE_LIMITS: "address=0,addressForms=0,session=0,sessionForms=6,pdf=2,cardsPerSession=2,returnSeconds=5",
    GATEWAY_METRICS_TOKEN: METRICS_TOKEN,
    MEDUSA_WORKER_MODE: "shared",
  },
  prepare: async (booted) => {
    shop = new CartShop(booted)
    await shop.open()
  },
})
let shop: CartShop
let api: ServerProcess

beforeAll(async () => {
  api = await store.startApiProcess()
})

type Conversation = (reader: PageReader, merchant: ApiMerchant, origin: string) => Promise<void>

/** Makes the same requests of both, and compares the answers. */
async function expectSame(conversation: Conversation): Promise<void> {
  const answered: object[][] = []
  for (const origin of [store.url, api.url]) {
    const reader = new PageReader(origin)
    await conversation(reader, await newMerchant(store), origin)
    answered.push(reader.kept.map(comparable))
  }
  const [ofStore, ofApi] = answered
  expect(ofStore.length).toBeGreaterThan(0)
  expect(ofApi).toEqual(ofStore)
}

const FORM = "application/x-www-form-urlencoded"
const DECLINED = { ...CARD, card_number: "4000 0000 0000 0002" }
const pageOf = async (merchant: ApiMerchant) => `/pay/${(await merchant.open()).session_id}`
const NOBODY = {
  session_id: `ses_${"0".repeat(32)}`,
  token: `inp_${"0".repeat(32)}`,
  file: "page.0123456789abcdef.css",
  id: "00000000-0000-0000-0000-000000000000",
  acquirer: "stripe",
  account: "default",
  attempt: `pay${"0".repeat(27)}`,
}
const invented = (path: string) =>
  path.replace(/\{([a-z_]+)\}/g, (_all, name: keyof typeof NOBODY) => NOBODY[name] ?? "x")

describe("docs/decisions/0069: pages of store and API process are the same", () => {
  it.each([...new Set(PAGE_AREAS.flatMap(({ routes }) => routes.map(({ path }) => path)))])(
    "%s, about nobody: every method, a trailing slash, with a body and without",
    async (route) => {
      await expectSame(async (reader) => {
        const path = invented(route)
        for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"]) {
          await reader.ask(method, path)
        }
        for (const other of [`${path}/`, `${path}//`, `${path}/more`, `${path}?lang=bn&wait=x`]) {
          await reader.ask("GET", other)
        }
        await reader.ask("POST", path, { content: "a=b" })
        await reader.ask("POST", path, { content: "{", headers: { "Content-Type": "application/json" } })
        await reader.ask("PROPFIND", path, { content: "{", headers: { "Content-Type": "application/json" } })
        await reader.ask("GET", path, { headers: { Accept: "text/html", "Accept-Language": "bn, en;q=0.5" } })
      })
    }
  )

  it("targets: long, escaped, doubled, absolute, without an end", async () => {
    await expectSame(async (reader, _merchant, origin) => {
      for (const { root } of PAGE_AREAS) {
        for (const path of [
          root,
          root.toUpperCase(),
          `${root}/`,
          `${root}//`,
          `${root}/%ff`,
          `${root}/%00`,
          `${root}/%2e%2e/%2e%2e`,
          `${root}/x/y/z/%`,
          `${root}?a=1`,
          `${root}#fragment`,
          `${root}/${"x".repeat(3_000)}`,
          `${root}/x?q=${"x".repeat(9_000)}`,
          `${origin}${root}/x`,
          `http://gateway.example.com${root}`,
        ]) {
          await reader.ask("GET", path)
        }
      }
    })
  })

  it("files of the page: encodings, outdated and unknown ones", async () => {
    await expectSame(async (reader, merchant) => {
      const { body } = await reader.ask("GET", await pageOf(merchant))
      const files = [...new Set([...body.matchAll(/\/pay\/assets\/[A-Za-z0-9._-]+/g)].map(([url]) => url))]
      expect(files.length).toBeGreaterThan(2)
      for (const file of [...files, files[0].replace(/[0-9a-f]{16}/, "0".repeat(16))]) {
        for (const encoding of ["br", "gzip, deflate", "identity", "br;q=0, *", "*;q=0", "gzip;q=0.5,br;q=0.1", ""]) {
          await reader.ask("GET", file, { headers: { "Accept-Encoding": encoding } })
        }
        await reader.ask("HEAD", file, { headers: { "Accept-Encoding": "br" } })
      }
      await reader.ask("GET", `/pay/logo/${"0".repeat(64)}.png`)
    })
  })

  it("a checkout: languages, cookies, encodings, proxies", async () => {
    await expectSame(async (reader, merchant) => {
      const page = await pageOf(merchant)
      await reader.ask("GET", page)
      await reader.ask("HEAD", page)
      await reader.ask("GET", `${page}?lang=bn`)
      await reader.ask("GET", page)
      await reader.ask("GET", `${page}?lang=xx&wait=3&paid=1&paid=2`)
      for (const encoding of ["br", "gzip", "identity"]) {
        await reader.ask("GET", page, { headers: { "Accept-Encoding": encoding } })
      }
      await reader.ask("GET", page, { headers: { Cookie: "__Host-gateway_csrf=short; gateway_lang=bn; a=b" } })
      await reader.ask("GET", page, { headers: { "X-Forwarded-Proto": "http", "X-Forwarded-For": "203.0.113.9" } })
      await reader.ask("GET", page, { headers: { "X-Request-Id": "caller-12345", Range: "bytes=0-5" } })
    })
  })

  it("forms: of nobody, of another site, too large, in other types, cut short", async () => {
    const csrf = { Cookie: "" }
    await expectSame(async (reader, merchant) => {
      const pages = [await pageOf(merchant), await pageOf(merchant), await pageOf(merchant)]
      const post = (page: string, content: string | Buffer, headers: Record<string, string> = {}) =>
        reader.ask("POST", page, { content, headers })
      await post(pages[0], "a=b", csrf)
      await post(pages[0], "", { "Content-Type": FORM })
      await post(pages[0], "a".repeat(70_000))
      await post(pages[0], "{}", { "Content-Type": "application/json" })
      await post(pages[0], "a=b", { "Content-Type": `${FORM}; charset=utf-16` })
      await post(pages[1], "a=b", { "Content-Encoding": "gzip" })
      await post(pages[1], "a=%ff&b=%", {})
      await post(pages[1], Buffer.from([0x61, 0x3d, 0xff]), {})
      await reader.submit(pages[1], CARD, pages[1], { headers: { "Sec-Fetch-Site": "cross-site" } })
      await reader.submit(pages[2], CARD, pages[1])
      await reader.submit(pages[2], CARD, pages[2], { headers: { Origin: "https://evil.example" } })
      await reader.submit(pages[2], { ...CARD, card_number: "1" })
    })
  })

  it("a payment, again, and what cannot be paid any more", async () => {
    await expectSame(async (reader, merchant) => {
      const page = await pageOf(merchant)
      const paid = await reader.submit(page, CARD)
      expect([paid.status, locationOf(paid)]).toEqual([303, expect.stringContaining("status=SUCCESS")])
      await reader.submit(page, CARD)
      for (const part of ["", "?wait=1", "/return", "/return?paid=1", "/cancel", "/leave", "/account"]) {
        await reader.ask("GET", `${page}${part}`)
      }
      const cancelled = await pageOf(merchant)
      await reader.submit(cancelled, {}, `${cancelled}/cancel`)
      await reader.submit(cancelled, {}, `${cancelled}/cancel`)
      const left = await pageOf(merchant)
      await reader.submit(left, {}, `${left}/leave`)
      for (const origin of ["http://localhost:8000", "https://evil.example", "null"]) {
        await reader.ask("POST", `${left}/account`, { content: "proof=x", headers: { Origin: origin } })
      }
    })
  })

  it("declines, and the limits of cards, forms and PDFs", async () => {
    await expectSame(async (reader, merchant) => {
      const page = await pageOf(merchant)
      for (const number of ["4000 0000 0000 0002", "4000 0000 0000 9995", "4000 0000 0000 0069"]) {
        await reader.submit(page, { ...DECLINED, card_number: number })
      }
      const other = await pageOf(merchant)
      const answers = []
      for (let count = 0; count < 8; count += 1) {
        answers.push((await reader.ask("POST", other, { content: "a=b" })).status)
      }
      expect(answers).toContain(429)
    })
  })

  it("a payment link, its checkout, and its end", async () => {
    await expectSame(async (reader, merchant) => {
      const made = await merchant.call("POST", "/payments/links", { amount: "5000.00", description: "Deposit" })
      const page = new URL(String((made.body.data as unknown as { url: string }).url)).pathname
      await reader.submit(page, { name: "", email: "x", phone: "1" })
      const payer = { name: "Rahima Khatun", email: "rahima@example.com", phone: "01712345678" }
      const opened = locationOf(await reader.submit(page, payer))
      await reader.submit(opened, CARD)
      await reader.ask("GET", page)
      await reader.ask("GET", `${page}?status=FAILED`)
      await reader.submit(page, payer)
    })
  })

  it("an invoice, its PDF, and its payment", async () => {
    await expectSame(async (reader, merchant) => {
      const page = await invoiceOf(merchant)
      await reader.ask("GET", `${page}?lang=bn`)
      await reader.ask("GET", `${page}?status=FAILED`)
      for (let count = 0; count < 3; count += 1) {
        await reader.ask("GET", `${page}/pdf`)
      }
      expect(reader.kept.at(-1)?.status).toBe(429)
      const opened = locationOf(await reader.submit(page, {}))
      await reader.ask("GET", opened)
      const paid = await reader.submit(opened, CARD)
      expect(locationOf(paid)).toContain("SUCCESS")
      await reader.ask("GET", page)
      await reader.submit(page, {})
    })
  })

  it("the customer's portal", async () => {
    await expectSame(async (reader, merchant) => {
      const customer_id = await customerOf(merchant)
      const made = await merchant.call("POST", "/payments/portal-sessions", { customer_id })
      const page = new URL(String((made.body.data as unknown as { url: string }).url)).pathname
      const { body } = await reader.ask("GET", page)
      const subscription = new RegExp(`${page}/subscriptions/[0-9a-f-]+`).exec(body)?.[0] ?? ""
      expect(subscription).not.toBe("")
      await reader.ask("GET", `${page}/`)
      await reader.ask("GET", `${page}/invoices`)
      await reader.ask("GET", `${page}/payments?page=2`)
      await reader.submit(subscription, { action: "pause" })
      await reader.submit(subscription, { action: "method" })
      await reader.submit(`${subscription}/cancel`, {})
      await reader.ask("GET", "/portal/return?status=SUCCESS")
      await reader.submit(`/portal/${merchant.id}/sandbox`, { email: "rahima@example.com" })
      await reader.ask("POST", `${page}/sign-out`, { content: "a=b" })
    })
  })

  it("reports of browsers, and metrics with the token and without", async () => {
    await expectSame(async (reader) => {
      const report = (content: string, type = "application/csp-report") =>
        reader.ask("POST", "/gateway/csp-reports", { content, headers: { "Content-Type": type } })
      await report('{"csp-report":{"effective-directive":"img-src","blocked-uri":"https://evil.example/a"}}')
      await report("{")
      await report("[]", "application/reports+json; charset=utf-8")
      await report("x".repeat(20_000))
      await report("{}", "text/plain")
      for (const Authorization of ["", "Bearer x", `Bearer ${METRICS_TOKEN}`]) {
        await reader.ask("GET", "/gateway/metrics", { headers: { Authorization } })
        const { body, ...rest } = reader.kept.pop() ?? { body: "" }
        reader.kept.push({ ...(rest as Recorded), body: /^# HELP/m.test(body) ? "metrics" : body })
      }
    })
  })

  it("acquirers: names, accounts and bodies that nobody has", async () => {
    await expectSame(async (reader) => {
      const base = "/gateway/acquirers"
      for (const path of [
        "stripe/notify/x",
        "constructor/notify/__proto__",
        "Stripe/notify/x",
        "sandbox/notify/default",
      ]) {
        await reader.ask("POST", `${base}/${path}`, { content: "a=b" })
        await reader.ask("POST", `${base}/${path}`, { content: "x".repeat(70_000) })
      }
      for (const path of ["stripe/return/nothing", "stripe/return/%ff", `sandbox/return/${NOBODY.attempt}?a=b`]) {
        await reader.ask("GET", `${base}/${path}`)
        await reader.ask("POST", `${base}/${path}`, { content: "a=b" })
      }
    })
  })
})

describe("docs/decisions/0069: a cart that is paid on the page", () => {
  it("has its order before the browser goes anywhere, whoever answers", async () => {
    const orders: string[][] = []
    await expectSame(async (reader) => {
      const { cart, session } = await shop.checkout(undefined, { return_url: "http://localhost:8000/done" })
      const paid = await reader.submit(`/pay/${session.data.session_id}`, CARD)
      orders.push(await shop.ordersOf(cart.id))
      const back = new URL(locationOf(paid))
      expect(back.pathname).toBe("/gateway/return")
      const shopper = await reader.ask("GET", `${back.pathname}${back.search}`)
      expect(locationOf(shopper)).toContain(`order_id=${orders.at(-1)?.[0]}`)
      await reader.ask("HEAD", `${back.pathname}${back.search}`)
      await reader.ask("GET", "/gateway/return?transaction_id=x", { headers: { Accept: "text/html" } })
    })
    expect(orders.map(({ length }) => length)).toEqual([1, 1])
  })

  it("is paid once when many press at once, at the store and at the API process", async () => {
    const { cart, session } = await shop.checkout()
    const page = `/pay/${session.data.session_id}`
    const readers = [store.url, api.url, store.url, api.url].map((origin) => new PageReader(origin))
    const answers = await Promise.all(readers.map((reader) => reader.submit(page, CARD)))
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(303))
    expect(await shop.ordersOf(cart.id)).toHaveLength(1)
    expect(await store.db("gateway_transaction").where({ session_id: session.data.session_id })).toHaveLength(1)
  })
})

async function customerOf(merchant: ApiMerchant): Promise<number> {
  const plan = { plan_name: "Tea", amount: "1250.50", interval_count: 1, interval_unit: "MONTH" }
  const made = await merchant.call("POST", "/payments/subscription-plans", plan)
  const subscription_plan_id = (made.body as unknown as { id: number }).id
  const created = await merchant.call("POST", "/payments/subscriptions", { subscription_plan_id, customer: someone() })
  return (created.body as unknown as { customer_id: number }).customer_id
}

async function invoiceOf(merchant: ApiMerchant): Promise<string> {
  await customerOf(merchant)
  const listed = await merchant.call("GET", "/payments/subscriptions")
  const [{ id }] = (listed.body as unknown as { data: { id: number }[] }).data
  await merchant.call("POST", `/payments/subscriptions/${id}/generate-invoice`)
  const invoices = await merchant.call("GET", "/payments/invoices")
  const [{ payment_url }] = (invoices.body as unknown as { data: { payment_url: string }[] }).data
  return new URL(payment_url).pathname
}
