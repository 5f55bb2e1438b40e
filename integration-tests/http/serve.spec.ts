import { randomBytes } from "node:crypto"
import { ROUTES } from "../../src/api/v2-kit/routes"
import { newMerchant, order } from "../support/api"
import { asking, comparable, dataOf, idOf, invented, type Ask, type Recorded } from "../support/recorded"
import type { ServerProcess } from "../support/server-process"
import { useStore } from "../support/store"

/*
 * docs/decisions/0069: an API process (`serve`) answers `/api/v2` as the store does, to the byte. The store and the
 * process are the real programs, compiled, on one database; each is asked the same, by a merchant of its own.
 */

/** The store takes what API processes ask of it: a moved clock. */
const ENV = { GATEWAY_RATE_LIMIT: "100000", GATEWAY_PUBLIC_URL: "", MEDUSA_WORKER_MODE: "shared" }
const store = useStore({ production: true, env: ENV })
let api: ServerProcess

beforeAll(async () => {
  api = await store.startApiProcess()
})

/** Makes the same requests of both, and compares the answers. */
async function expectSame(
  conversation: (ask: Ask, origin: string, merchant_id: string) => Promise<void>
): Promise<void> {
  const answered: object[][] = []
  for (const origin of [store.url, api.url]) {
    const kept: Recorded[] = []
    const merchant = await newMerchant(store)
    await conversation(asking(origin, merchant.key, kept), origin, merchant.id)
    answered.push(kept.map(comparable))
  }
  const [ofStore, ofApi] = answered
  expect(ofStore.length).toBeGreaterThan(0)
  expect(ofApi).toEqual(ofStore)
}

describe("docs/decisions/0069: store and API process answer the same", () => {
  it.each(ROUTES.map((route): [string, (typeof ROUTES)[number]] => [`${route.method} ${route.path}`, route]))(
    "%s: without a key, with a wrong one, with nothing, with too little",
    async (_name, { method, path }) => {
      await expectSame(async (ask) => {
        const target = invented(path)
        await ask(method, target, undefined, { headers: { "X-Merchant-API-Key": "" } })
        await ask(method, target, undefined, { headers: { "X-Merchant-API-Key": `sk_test_${"A".repeat(43)}` } })
        await ask(method, target, undefined, { headers: { "X-Merchant-API-Key": `sk_live_${"A".repeat(43)}` } })
        await ask(method, target)
        await ask(method, target, {})
        await ask(method, target, undefined, { content: "{" })
        await ask(method, target, undefined, { content: "a=1", headers: { "Content-Type": "text/plain" } })
        await ask(method, `${target}/?page=0&per_page=x&limit[]=1&status=%ff&from=never&lang=xx&include=nothing`)
        await ask(method, target.toUpperCase())
      })
    }
  )

  it.each(["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "GET", "POST", "TRACE", "PROPFIND", "SEARCH"])(
    "%s on a path of each kind",
    async (method) => {
      await expectSame(async (ask) => {
        for (const path of [
          "",
          "/",
          "/payments",
          "/payments/checkout",
          "/payments/subscriptions/1",
          "/nothing",
          "/sandbox",
        ]) {
          await ask(method, path)
          await ask(method, path, undefined, { headers: { "X-Merchant-API-Key": "" } })
        }
      })
    }
  )

  it("targets: long, escaped, doubled, absolute, of the sandbox, of nobody", async () => {
    await expectSame(async (ask, origin) => {
      for (const path of [
        `/payments/verify/${"x".repeat(90)}`,
        `/payments/verify/${"x".repeat(9_000)}`,
        `/payments?q=${"x".repeat(9_000)}`,
        "/payments/verify/%ff",
        "/payments/verify/%00",
        "/payments/verify/$&",
        "/payments/verify/..%2f..%2fpayments",
        "/payments//verify",
        "//payments",
        "/payments/%63heckout",
        "/payments#fragment",
        "/payments?page=1#fragment",
        "/payments/verify/a;b=c",
        "/docs",
        "/docs/",
        "/docsx",
        "//docs",
      ]) {
        await ask("GET", path)
      }
      for (const path of ["/sandbox/api/v2", "/sandbox/api/v2/payments", "/SANDBOX/API/V2/payments/subscriptions/1"]) {
        await ask("GET", "", undefined, { path })
      }
      await ask("GET", "", undefined, { path: "/API/v2/payments" })
      await ask("GET", "", undefined, { path: `${origin}/api/v2/payments` })
      await ask("GET", "", undefined, { path: "ftp://host/api/v2/payments" })
      await ask("GET", "", undefined, { path: "ftp://host/sandbox/api/v2/payments" })
      await ask("HEAD", "/docs")
      await ask("POST", "/docs")
    })
  })

  it("bodies: too large, too deep, empty, compressed, in other encodings and types", async () => {
    await expectSame(async (ask) => {
      const checkout = (content: string | Buffer, headers: Record<string, string> = {}) =>
        ask("POST", "/payments/checkout", undefined, { content, headers })
      await checkout(JSON.stringify({ order_description: "x".repeat(2_000_000) }))
      await checkout("[".repeat(40) + "]".repeat(40))
      await checkout(`{"metadata":${'{"a":'.repeat(40)}1${"}".repeat(40)}}`)
      await checkout("[]")
      await checkout("null")
      await checkout(Buffer.from([0x7b, 0xff, 0x7d]))
      await checkout('{"order_id":"\\u0000"}')
      await checkout('{"order_id":"\\ud800"}')
      await checkout('{"__proto__":{"a":1}}')
      await checkout("{}", { "Content-Type": "" })
      await checkout("{}", { "Content-Type": ";;;" })
      await checkout("{}", { "Content-Type": "application/json; charset=utf-16" })
      await checkout("{}", { "Content-Encoding": "gzip" })
      await ask("POST", "/payments/checkout", undefined, { content: "{}", headers: { Expect: "100-continue" } })
    })
  })

  it("errors of each field, by code", async () => {
    await expectSame(async (ask) => {
      for (const changes of [
        { order_amount: "1" },
        { order_amount: "999999999" },
        { order_amount: -5 },
        { currency: "USD" },
        { currency: 7 },
        { order_id: "x".repeat(31) },
        { success_url: "javascript:alert(1)" },
        { success_url: "http://10.0.0.1/" },
        { customer: null },
        { customer: { name: "A" } },
        { payment_info: { requires_emi: true, emi_configuration_id: "none" } },
        { order_items: "none" },
      ]) {
        await ask("POST", "/payments/checkout", order(changes))
      }
      await ask("POST", "/payments/subscription-plans", { plan_name: "", amount: "1" })
      await ask("POST", "/payments/refund", { transaction_id: 5 })
      await ask("GET", "/payments/balance/statement?from_date=2026-13-01")
      await ask("GET", "/payments?page=1&page=2")
      await ask("GET", "/payments?__proto__=1&constructor=2")
    })
  })

  it("a payment from its checkout to its refund, with replays, lists, events and files", async () => {
    await expectSame(async (ask) => {
      const body = order()
      const replayed = { headers: { "Idempotency-Key": `once-${randomBytes(8).toString("hex")}` } }
      const opened = dataOf(await ask("POST", "/payments/checkout", body, replayed))
      await ask("POST", "/payments/checkout", body, replayed)
      await ask("POST", "/payments/checkout", { ...body, order_amount: "99.00" }, replayed)
      await ask("POST", "/payments/checkout", body)
      await ask("POST", "/payments/checkout", order(), { headers: { "Idempotency-Key": "x".repeat(300) } })
      await ask("GET", "/payments")
      const paid = dataOf(await ask("POST", `/sandbox/sessions/${opened.session_id}/pay`, { payment_method: "card" }))
      await ask("POST", `/sandbox/sessions/${opened.session_id}/pay`, { payment_method: "card" })
      await ask("POST", `/sandbox/sessions/${opened.session_id}/cancel`)
      await ask("POST", `/payments/checkout/${opened.session_id}/expire`)
      await ask("GET", `/payments/verify/${paid.transaction_id}`)
      await ask("HEAD", `/payments/verify/${paid.transaction_id}`)
      await ask("GET", `/payments/verify/${paid.transaction_id}?x=1`)
      const cancelled = dataOf(await ask("POST", "/payments/checkout", order()))
      await ask("POST", `/sandbox/sessions/${cancelled.session_id}/cancel`)
      const declined = dataOf(await ask("POST", "/payments/checkout", order()))
      const noMoney = { payment_method: "card", card_number: "4000000000000002" }
      await ask("POST", `/sandbox/sessions/${declined.session_id}/pay`, noMoney)
      const refund = {
        transaction_id: paid.transaction_id,
        refund_amount: "250.50",
        refund_reason: "One parcel was damaged",
      }
      const { refund_id } = dataOf(await ask("POST", "/payments/refund", refund))
      await ask("GET", `/payments/refund/${refund_id}`)
      await ask("POST", `/payments/refund/${refund_id}/cancel`)
      await ask("POST", "/payments/refund", { ...refund, refund_amount: "9999.00" })
      const { batch_id } = dataOf(
        await ask("POST", "/payments/refunds/batch", { refunds: [{ ...refund, refund_amount: "10.00" }] })
      )
      await ask("GET", `/payments/refunds/batch/${batch_id}`)
      for (const path of [
        "/payments/refunds",
        "/payments/balance",
        "/payments/balance/entries",
        "/events",
        "/payments?status=SUCCESS&per_page=1",
      ]) {
        await ask("GET", path)
      }
      await ask("GET", "/payments/balance/statement?from_date=2026-01-01&to_date=2026-01-31")
    })
  })

  it("plans, subscriptions, their invoices and customers", async () => {
    await expectSame(async (ask) => {
      const plan = idOf(
        await ask("POST", "/payments/subscription-plans", {
          plan_name: "Tea",
          amount: "1250.50",
          interval_count: 1,
          interval_unit: "MONTH",
        })
      )
      const customer = { name: "Rahima Khatun", email: "rahima@example.com", phone: "+8801712345678" }
      const created = await ask("POST", "/payments/subscriptions", { subscription_plan_id: Number(plan), customer })
      const subscription = idOf(created)
      const { customer_id } = JSON.parse(created.body) as { customer_id: number }
      const urls = { success_url: "https://shop.example.com/paid", fail_url: "https://shop.example.com/failed" }
      await ask("POST", `/payments/subscriptions/${subscription}/checkout`, urls)
      await ask("POST", `/payments/subscriptions/${subscription}/generate-invoice`)
      const invoices = JSON.parse((await ask("GET", "/payments/invoices")).body) as { data: { invoice_id: string }[] }
      await ask("GET", `/payments/invoices/${invoices.data[0].invoice_id}`)
      await ask("GET", `/payments/invoices/${invoices.data[0].invoice_id}/pdf?lang=bn`)
      await ask("PATCH", `/payments/subscriptions/${subscription}`, { amount: "1400.00" })
      await ask("POST", `/payments/subscriptions/${subscription}/pause`)
      await ask("GET", `/payments/subscriptions/${subscription}/billing-history`)
      await ask("GET", `/payments/customers/${customer_id}`)
      await ask("POST", "/payments/portal-sessions", { customer_id, return_url: "https://shop.example.com/account" })
      await ask("POST", `/payments/subscriptions/${subscription}/cancel`, { cancel_at_period_end: false })
      await ask("DELETE", `/payments/subscription-plans/${plan}`)
      await ask("GET", "/payments/subscription-plans?include_inactive=true")
      await ask("GET", "/payments/subscriptions?subscription_status=CANCELLED")
    })
  })

  it("links, webhooks, secrets and the clock", async () => {
    await expectSame(async (ask) => {
      const link = dataOf(await ask("POST", "/payments/links", { amount: "5000.00", description: "Deposit" }))
      await ask("GET", `/payments/links/${link.link_id}`)
      await ask("POST", `/payments/links/${link.link_id}/disable`)
      const endpoint = dataOf(
        await ask("POST", "/merchants/webhooks", {
          endpoint_url: "https://shop.example.com/webhooks",
          event_types: ["*"],
        })
      )
      await ask("PATCH", `/merchants/webhooks/${endpoint.id}`, { event_types: ["payment.succeeded"] })
      await ask("POST", `/merchants/webhooks/${endpoint.id}/rotate-secret`)
      await ask("GET", "/merchants/ipn-secret")
      await ask("POST", "/merchants/ipn-secret/rotate")
      await ask("GET", "/webhooks/deliveries")
      await ask("DELETE", `/merchants/webhooks/${endpoint.id}`)
      await ask("GET", "/payments/emi-options?include=cards")
      await ask("POST", "/payments/emi-amounts", { order_amount: "12500.00" })
      await ask("GET", "/sandbox/clock")
      await ask("POST", "/sandbox/clock", { advance_seconds: 3600 })
    })
  })

  it("public pages: encodings, and whether they are kept", async () => {
    await expectSame(async (ask) => {
      for (const path of ["/openapi.json", "/sandbox", "/docs"]) {
        for (const encoding of ["br", "gzip, deflate", "identity", "*;q=0", ""]) {
          await ask("GET", path, undefined, { headers: { "Accept-Encoding": encoding } })
        }
        await ask("HEAD", path, undefined, { headers: { "Accept-Encoding": "gzip" } })
      }
      const etag = (await ask("GET", "/sandbox")).headers.find(([name]) => name === "ETag")?.[1] ?? ""
      await ask("GET", "/sandbox", undefined, { headers: { "If-None-Match": `"other", ${etag}` } })
      const page = (await ask("GET", "/docs")).body
      for (const file of new Set([...page.matchAll(/\/gateway\/reference\/[a-z0-9.]+/g)].map(([url]) => url))) {
        await ask("GET", "", undefined, { path: file })
        await ask("GET", "", undefined, { path: file, headers: { "Accept-Encoding": "gzip;q=0, *" } })
      }
      await ask("GET", "", undefined, { path: "/gateway/reference/none.js" })
    })
  })

  it("health checks", async () => {
    await expectSame(async (ask) => {
      for (const path of ["/health/live", "/health/ready", "/HEALTH/READY?probe=1"]) {
        expect((await ask("GET", "", undefined, { path })).status).toBe(200)
        await ask("HEAD", "", undefined, { path })
      }
    })
  })

  it("request ids, and addresses behind proxies", async () => {
    await expectSame(async (ask) => {
      for (const id of ["caller-12345", "short", "<script>", "x".repeat(65)]) {
        await ask("GET", "/sandbox/clock", undefined, { headers: { "X-Request-Id": id } })
      }
      await ask("POST", "/payments/checkout", order(), {
        headers: { Host: "pay.example.com", "X-Forwarded-Proto": "https, http" },
      })
    })
  })

  it("limits of requests, with their headers", async () => {
    await expectSame(async (ask, _origin, merchant_id) => {
      await store.db("gateway_merchant_environment").where({ merchant_id }).update({ rate_limit_requests: 2 })
      const answers = [await ask("GET", "/payments"), await ask("GET", "/payments"), await ask("GET", "/payments")]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    })
  })
})

describe("docs/decisions/0040: a reader that leaves the log", () => {
  it.each([undefined, 2])("ends no process: --workers %p", async (workers) => {
    const serving = await store.startApiProcess({ workers })
    serving.leave()
    // Lines of the log that have no reader.
    for (let left = 20; left > 0; left -= 1) {
      expect((await fetch(`${serving.url}/api/v2/payments`)).status).toBe(401)
    }
    await serving.kill()
    expect(await serving.ended).toEqual({ code: 0, signal: null })
  })
})
