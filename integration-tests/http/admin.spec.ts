import { request, type IncomingMessage } from "node:http"
import { generateJwtToken } from "@medusajs/framework/utils"
import { messageOf, said } from "../../src/i18n/message"
import { AREAS } from "../../src/api/admin-kit/areas"
import { parseCsv } from "../../src/modules/gateway/kernel/csv"
import { once, type Page, type PageKey, type Window } from "../../src/modules/gateway/kernel/paging"
import { comparedRows, foundPayments } from "../../src/modules/gateway/payments/search"
import { done, moved, ScriptedAcquirer, servicesWith } from "../support/acquirer"
import { CUSTOMER, gatewayOf, newMerchant, orderId, type ApiMerchant } from "../support/api"
import { until } from "../support/deliveries"
import {
  ADMIN,
  adminRoutes,
  cookieOf,
  Admin,
  filled,
  prepareAdmin,
  signIn,
  type AdminBody,
  type Row,
} from "../support/admin"
import { addEmi } from "../support/emi"
import { blocked, waitingForLocks } from "../support/locks"
import { expectLoggedErrors } from "../support/logged-errors"
import { useReceiver, type Receiver } from "../support/receiver"
import { bankSays } from "../support/secrets"
import { useStore } from "../support/store"
import { clockTo, PLANS, someone, Subscriber, SUBSCRIPTIONS } from "../support/subscriptions"

expectLoggedErrors(
  /the acquirer reports .* instead of .*; it stays open/,
  /came for the attempt .*, which is over; it is given back/
)

const store = useStore({ production: true, prepare: prepareAdmin })
const receiver = useReceiver()
let headers: Record<string, string>
let merchant: ApiMerchant
let admin: Admin

beforeAll(async () => {
  headers = await signIn(store)
})
beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = new Admin(store, headers, merchant.id)
})

const PLAN = { plan_name: "Tea club", amount: "500.00", interval_count: 1, interval_unit: "MONTH" }
const FORGED = { "X-Forwarded-For": "203.0.113.77", "X-Real-IP": "203.0.113.78", Forwarded: "for=203.0.113.79" }
/** One pixel, PNG. */
const LOGO = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg=="
const LOOPBACK = /^(127\.0\.0\.1|::1)$/
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)

describe("who may use the admin", () => {
  const routes = adminRoutes()

  it("knows every route of the admin", () => {
    expect(routes.length).toBeGreaterThan(25)
  })

  it.each(routes)("$method /admin/gateway$path refuses everybody but admins", async ({ method, path }) => {
    const url = `${store.url}/admin/gateway${filled(path)}?merchant_id=${merchant.id}&environment=sandbox`
    const customer = generateJwtToken(
      {
        actor_id: "cus_of_the_test",
        actor_type: "customer",
        auth_identity_id: "authid_of_the_test",
        app_metadata: { customer_id: "cus_of_the_test" },
      },
      { secret: process.env.JWT_SECRET, expiresIn: "1h" }
    )
    const attempts: Record<string, string>[] = [
      {},
      { Authorization: `Bearer ${customer}` },
      { Authorization: "Bearer not-a-token" },
      { "X-Merchant-API-Key": merchant.key },
      { Authorization: `Basic ${Buffer.from(`${merchant.key}:`).toString("base64")}` },
    ]
    for (const attempt of attempts) {
      const response = await fetch(url, {
        method,
        headers: { "Content-Type": "application/json", ...attempt },
        body: method === "GET" ? undefined : "{}",
      })
      expect([JSON.stringify(attempt).slice(0, 40), response.status]).toEqual([
        JSON.stringify(attempt).slice(0, 40),
        401,
      ])
    }
  })

  it.each(routes)("$method /admin/gateway$path belongs to an area that RBAC has policies for", ({ path }) => {
    expect([undefined, ...Object.keys(AREAS)]).toContain(path.split("/")[1])
  })
})

describe("decisions: Origins — an admin whom the session cookie signs in", () => {
  const JSON_TYPE = { "Content-Type": "application/json" }
  const FORM = { "Content-Type": "application/x-www-form-urlencoded" }
  const EVIL = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }

  async function rename(signedIn: Record<string, string>, sent: Record<string, string>): Promise<number> {
    const body = sent["Content-Type"] === FORM["Content-Type"] ? "name=Changed" : JSON.stringify({ name: "Changed" })
    const url = `${store.url}/admin/gateway/merchants/${merchant.id}`
    return (await fetch(url, { method: "POST", headers: { ...signedIn, ...sent }, body })).status
  }
  const name = async () => (await store.db("gateway_merchant").where({ id: merchant.id }).first()).name

  it("changes what a page of this deployment or of ADMIN_CORS asks for", async () => {
    const signedIn = { Cookie: await cookieOf(store, headers) }
    for (const from of [
      {},
      { Origin: store.url, "Sec-Fetch-Site": "same-origin" },
      { Origin: "http://localhost:9000", "Sec-Fetch-Site": "same-site" },
    ]) {
      expect(await rename(signedIn, { ...JSON_TYPE, ...from } as Record<string, string>)).toBe(200)
    }
  })

  it("changes nothing for another site, and nothing by a form", async () => {
    const signedIn = { Cookie: await cookieOf(store, headers) }
    const before = await name()
    for (const sent of [
      { ...FORM, ...EVIL },
      FORM,
      { ...JSON_TYPE, ...EVIL },
      { ...JSON_TYPE, Origin: "null" },
      { "Content-Type": "text/plain" },
    ]) {
      expect(await rename(signedIn, sent)).toBe(403)
    }
    expect(await name()).toBe(before)
  })

  it.each(adminRoutes().filter(({ method }) => method !== "GET"))(
    "$method /admin/gateway$path is refused to another site",
    async ({ method, path }) => {
      const Cookie = await cookieOf(store, headers)
      const url = `${store.url}/admin/gateway${filled(path)}?merchant_id=${merchant.id}&environment=sandbox`
      const response = await fetch(url, { method, headers: { Cookie, ...JSON_TYPE, ...EVIL }, body: "{}" })
      expect(await response.json()).toMatchObject({ type: "not_allowed" })
      expect(response.status).toBe(403)
    }
  )

  it("a bearer token and a secret API key are not concerned: no browser sends them automatically", async () => {
    expect(await rename(headers, { ...JSON_TYPE, ...EVIL })).toBe(200)
    expect(await rename({ ...headers, Cookie: await cookieOf(store, headers) }, { ...JSON_TYPE, ...EVIL })).toBe(200)
  })
})

describe("decisions: Checkout — paid twice, at the admin", () => {
  it("waits in the overview and in the list until it is given back, and the payment's page shows both", async () => {
    const own = await newMerchant(store)
    const at = admin.at(own.id)
    const answers = {
      start: () => ({ result: "redirect", url: "https://bank.example.com/pay/1" }) as const,
      query: () => ({ result: "unknown", message: "Not paid yet", awaiting_shopper: true }) as const,
    }
    const bank = new ScriptedAcquirer(
      "redirect",
      [answers.start],
      [answers.query, done],
      [() => ({ result: "absent" }), done]
    )
    const { payments, inquiries, surplus } = servicesWith(store, "sandbox", bank)
    const { session_id, transaction_id } = await own.open()
    const page_url = "http://pay.test/pay/x"
    await payments.pay({ session_id, instrument: { method: "wallet" }, page_url })
    await inquiries.leave({ session_id, page_url })
    await own.pay(session_id)
    const waiting = async () => (await at.get("/overview")).body.overview.attention.paid_twice
    const listed = async () => (await at.get("/payments?paid_twice=open")).body.payments.map(({ id }) => id)
    expect([await waiting(), await listed()]).toEqual([0, []])
    const [left] = await store.db("gateway_payment_attempt").where({ transaction_id }).orderBy("number")
    await inquiries.hinted(left.id, null)
    expect([await waiting(), await listed()]).toEqual([1, [transaction_id]])
    const surplusOf = async () =>
      (await at.get(`/payments/${transaction_id}`)).body.payment.timeline
        .filter(({ number }) => number === 1)
        .map(({ type, state, amount, acquirer, acquirer_reference }) => [
          type,
          state ?? amount,
          acquirer,
          acquirer_reference,
        ])
    const { acquirer_reference } = await store.db("gateway_payment_attempt").where({ id: left.id }).first()
    expect(await surplusOf()).toEqual([
      ["attempt", "SURPLUS", "scripted", undefined],
      ["surplus_received", "1250.50", "scripted", acquirer_reference],
    ])
    await surplus.due.run()
    expect([await waiting(), await listed()]).toEqual([0, []])
    expect(await surplusOf()).toEqual([
      ["attempt", "RETURNED", "scripted", undefined],
      ["surplus_received", "1250.50", "scripted", acquirer_reference],
      ["surplus_returned", "1250.50", "scripted", acquirer_reference],
    ])
    const { entries } = (await at.get("/ledger/entries?account=refunds")).body
    expect(entries.map(({ type, amount }) => [type, amount])).toEqual([
      ["surplus_returned", "-1250.50"],
      ["surplus_received", "1250.50"],
    ])
    expect((await at.get("/payments?paid_twice=maybe")).status).toBe(422)
    expect(await store.brokenInvariants()).toEqual([])
  })
})

describe("acquirers — another amount than was asked for, at the admin", () => {
  it("waits in the overview, and the payment's page says what is reported and what was asked for; a refund's likewise", async () => {
    const acquirer = new ScriptedAcquirer("inline", [() => moved(10_000n), done], undefined, [
      () => moved(125_050n, "USD"),
    ])
    const { payments, refunds } = servicesWith(store, "sandbox", acquirer)
    const instrument = { method: "card", card: { number: "4242424242424242" } } as const
    const [wrong, right] = [await merchant.open(), await merchant.open()]
    for (const { session_id } of [wrong, right]) {
      await payments.pay({ session_id, instrument, page_url: "http://pay.test/pay/x" })
    }
    const refund = await refunds.create({
      transaction_id: right.transaction_id,
      reason: "Broken",
      requested_by: "test",
      request_key: null,
    })
    expect((await admin.get("/overview")).body.overview.attention).toMatchObject({
      mismatched_payments: 1,
      mismatched_refunds: 1,
    })
    expect((await admin.at(merchant.id, "production").get("/overview")).body.overview.attention).toMatchObject({
      mismatched_payments: 0,
      mismatched_refunds: 0,
    })
    const mismatches = async (id: string) =>
      (await admin.get(`/payments/${id}`)).body.payment.timeline.filter(({ type }) => type === "amount_mismatch")
    expect(await mismatches(wrong.transaction_id)).toMatchObject([
      {
        reported_amount: "100.00",
        reported_currency: "BDT",
        amount: "1250.50",
        currency: "BDT",
        reference: expect.stringMatching(/^REF/),
        refund_id: null,
      },
    ])
    expect(await mismatches(right.transaction_id)).toMatchObject([
      {
        reported_amount: "1250.50",
        reported_currency: "USD",
        amount: "1250.50",
        currency: "BDT",
        refund_id: refund.id,
      },
    ])
    expect((await admin.changes(wrong.transaction_id)).map(({ action, actor }) => [action, actor.type])).toEqual([
      ["payment.amount_mismatched", "system"],
    ])
  })
})

describe("whose rows", () => {
  it("is always said: without a merchant or an environment there is an answer that says what is missing", async () => {
    const nobody = admin.at(null)
    expect((await nobody.get("/payments")).body).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [
        { field: "merchant_id", message: "merchant_id is required" },
        { field: "environment", message: "environment is required" },
      ],
    })
    expect((await nobody.get("/payments?merchant_id=x&environment=test")).body).toMatchObject({
      field: "environment",
      message: "environment must be sandbox or production",
    })
    expect(await admin.at("mer_nobody").get("/payments")).toMatchObject({
      status: 404,
      body: { code: "MERCHANT_NOT_FOUND" },
    })
  })

  it("GET /admin/gateway says which merchants there are and whose the store's own carts are", async () => {
    const { body } = await admin.at(null).get("")
    expect(body).toMatchObject({
      environment: "sandbox",
      base_urls: { sandbox: `${store.url}/api/v2`, production: null },
    })
    expect(body.default_merchant_id).toMatch(/^mer_/)
    expect(JSON.stringify(body)).toContain(merchant.id)
  })
})

describe("hostile requests", () => {
  it.each(["%ff", "%", "%zz", "%c0%ae", "%ED%A0%80", "%00"])(
    "an id that does not decode, %s, does not exist",
    async (id) => {
      expect((await admin.get(`/events/${id}`)).status).toBe(404)
      expect((await admin.post(`/refunds/${id}/approve`)).status).toBe(404)
    }
  )

  it.each(["/admin/", "/store/products/", "/auth/user/", "/hooks/payment/", "/gateway/acquirers/"])(
    "what does not decode below %s, also Medusa's own, is no error of the server",
    async (path) => {
      for (const part of ["%ff", "%", "a%c0%ae"]) {
        const { status } = await fetch(`${store.url}${path}${part}`, { method: "POST" })
        expect([path, part, status < 500]).toEqual([path, part, true])
      }
    }
  )

  it("a body that is nested deep, or holds what PostgreSQL cannot store, is refused", async () => {
    const deep = JSON.parse(`${"[".repeat(2_000)}${"]".repeat(2_000)}`) as unknown
    for (const path of ["/refunds/x/approve", "/plans", "/deliveries/redeliver-failed"]) {
      expect(await admin.post(path, { a: deep })).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST" } })
      expect(await admin.post(path, { note: "a\u0000b" })).toMatchObject({ status: 422, body: { field: "note" } })
      expect(await admin.post(path, { note: "\ud800" })).toMatchObject({ status: 422, body: { field: "note" } })
    }
  })
})

describe("lists", () => {
  it.each([
    ["limit=0", "limit", "limit must be a whole number from 1 to 100"],
    ["limit=101", "limit", "limit must be a whole number from 1 to 100"],
    ["limit=x", "limit", "limit must be a whole number from 1 to 100"],
    [
      "offset=-1",
      "offset",
      "offset must be a whole number from 0 to 10000; narrow the list by its filters to see what lies beyond",
    ],
    [
      "offset=10001",
      "offset",
      "offset must be a whole number from 0 to 10000; narrow the list by its filters to see what lies beyond",
    ],
    ["order=amounts", "order", "order must be one of created_at, -created_at, amount, -amount"],
    ["from=yesterday", "from", "from must be an ISO 8601 time, like 2026-01-31T00:00:00Z"],
    ["status=PAID", "status[0]", "status[0] must be of SUCCESS, PENDING, FAILED, CANCELLED, EXPIRED, REFUNDED"],
  ])("%s is refused with the field, the limit and the way out", async (query, field, message) => {
    expect(await admin.get(`/payments?${query}`)).toMatchObject({
      status: 422,
      body: { type: "invalid_data", field, message },
    })
  })
})

describe("compression", () => {
  const ask = (path: string, more: Record<string, string>) => {
    const url = `${store.url}/admin/gateway${path}?merchant_id=${merchant.id}&environment=sandbox`
    return fetch(url, { headers: { "Accept-Encoding": "gzip", ...more } })
  }

  it("long answers are compressed, with a bearer token and with the session's cookie", async () => {
    for (const signedIn of [headers, { Cookie: await cookieOf(store, headers) }]) {
      const response = await ask("/overview", signedIn)
      expect(response.status).toBe(200)
      expect(response.headers.get("content-encoding")).toBe("gzip")
      expect(response.headers.get("vary")).toContain("Accept-Encoding")
      expect(response.headers.get("cache-control")).toBe("no-store")
      expect(await response.json()).toMatchObject({ overview: { payments: expect.any(Object) } })
    }
  })

  it("short ones are not, refusals among them", async () => {
    for (const [path, status] of [
      ["/api-keys", 200],
      ["/ipn-secret", 200],
      ["/payments/nothing", 404],
    ] as const) {
      const response = await ask(path, headers)
      expect([response.status, response.headers.get("content-encoding")]).toEqual([status, null])
      expect(Number(response.headers.get("content-length"))).toBe((await response.arrayBuffer()).byteLength)
    }
  })

  it("what the browser has is not sent again", async () => {
    const first = await ask("/payment-services", headers)
    // Without a Cache-Control of its own, fetch() asks for an answer that nobody has kept.
    const kept = { "If-None-Match": first.headers.get("etag") ?? "", "Cache-Control": "max-age=0" }
    const again = await ask("/payment-services", { ...headers, ...kept })
    expect([again.status, again.headers.get("content-encoding"), await again.text()]).toEqual([304, null, ""])
  })
})

describe("the language of refusals", () => {
  const inLanguage = (language: string) => new Admin(store, { ...headers, "Accept-Language": language }, merchant.id)

  it("is the admin's: Bangla for who asks for it, English for everybody else", async () => {
    const bangla = inLanguage("bn")
    expect((await bangla.get("/plans/999999")).body).toMatchObject({
      type: "not_found",
      code: "PLAN_NOT_FOUND",
      message: "এই আইডির কোনো প্ল্যান পাওয়া যায়নি",
    })
    const { status, body } = await bangla.post("/plans", { plan_name: "Tea", amount: "5", interval_count: 1 })
    expect([status, body.code]).toEqual([422, "VALIDATION_ERROR"])
    const minimum = { kind: "field", params: { name: "amount", rule: { kind: "rule.min", params: { min: "10.00" } } } }
    const required = { kind: "field", params: { name: "interval_unit", rule: { kind: "rule.required" } } }
    expect(body.details).toEqual([
      { field: "amount", message: "amount কমপক্ষে 10.00 হতে হবে", reason: minimum },
      { field: "interval_unit", message: "interval_unit আবশ্যক", reason: required },
    ])
    const paid = await merchant.open()
    expect((await bangla.get(`/payments/${paid.transaction_id}`)).body.payment.refund_obstacle).toEqual({
      code: "REFUND_NOT_ALLOWED",
      kind: "refusal.refund_of_success",
      message: "শুধু সফল পেমেন্টের টাকা ফেরত দেওয়া যায়",
    })
    const csv = `transaction_id,refund_amount,refund_reason\n${paid.transaction_id},0,late`
    const batch = await bangla.post("/refund-batches", { csv, dry_run: true })
    expect(batch.body.details).toEqual([
      {
        field: "lines[2].refund_amount",
        message: "লাইন 2: refund_amount 0.00 এর বেশি হতে হবে",
        reason: expect.objectContaining({ kind: "file.line" }),
      },
    ])
    for (const language of ["en", "de", "*", "fr, en;q=0.8", "en-GB, bn;q=0.5"]) {
      expect((await inLanguage(language).get("/plans/999999")).body.message).toBe("No plan was found with this id")
    }
  })

  it("of /api/v2 is English whatever is asked for", async () => {
    const answer = await merchant.call("GET", "/payments/subscription-plans/999999", undefined, {
      headers: { "Accept-Language": "bn" },
    })
    expect(answer.text).toContain("No plan was found with this id")
  })
})

describe("the overview", () => {
  const overview = async (query = "") => (await admin.get(`/overview${query}`)).body.overview
  const paidBy = async (payment_service: string, order_amount: string) => {
    const session = await merchant.open({ order_amount })
    await merchant.pay(session.session_id, { payment_method: "mobile_banking", payment_service })
    return session
  }

  it("adds up payments by how they ended and how they were paid, fees, refunds and the balance, exactly", async () => {
    const first = await paidBy("BKASH", "1000.10")
    await paidBy("NAGAD", "0333.33")
    const card = await merchant.open({ order_amount: "2500.00" })
    await merchant.pay(card.session_id)
    const declined = await merchant.open({ order_amount: "300.00" })
    await merchant.pay(declined.session_id)
    await merchant.cancel((await merchant.open()).session_id)
    await merchant.open()
    await gatewayOf(store).refunds.create({
      transaction_id: first.transaction_id,
      amount: 10n,
      reason: "part",
      requested_by: "the test",
      request_key: null,
    })
    await gatewayOf(store).refunds.create({
      transaction_id: card.transaction_id,
      amount: 250_000n,
      reason: "all",
      requested_by: "the test",
      request_key: null,
    })
    const before = await overview()
    expect(before).toMatchObject({
      payments: {
        amount: "3833.43",
        fees: "82.50",
        paid: 3,
        failed: 1,
        cancelled: 1,
        expired: 0,
        success_percent: "75.0",
      },
      refunds: { count: 2, amount: "2500.10" },
      balance: { available: "1250.83" },
      methods: [
        { service: "CARD", amount: "2500.00", paid: 1, failed: 1, success_percent: "50.0" },
        { service: "BKASH", amount: "1000.10", paid: 1, failed: 0, success_percent: "100.0" },
        { service: "NAGAD", amount: "333.33", paid: 1 },
      ],
    })
    expect(before.days).toHaveLength(30)
    expect(before.days[29]).toMatchObject({
      date: before.to,
      paid: 3,
      failed: 1,
      amount: "3833.43",
      fees: "82.50",
      refunded: "2500.10",
    })
    await foldAll()
    expect(await overview()).toEqual(before)
  })

  it("days are those of Bangladesh by the merchant's clock, and belong to one merchant and environment", async () => {
    const lateInDhaka = new Date(Date.now() + 86_400_000)
    lateInDhaka.setUTCHours(17, 59, 0, 0)
    await merchant.call("POST", "/sandbox/clock", { now: lateInDhaka.toISOString() })
    await merchant.pay((await merchant.open()).session_id)
    await merchant.advance(120)
    await merchant.pay((await merchant.open()).session_id)
    const date = lateInDhaka.toISOString().slice(0, 10)
    const next = new Date(lateInDhaka.getTime() + 86_400_000).toISOString().slice(0, 10)
    expect((await overview(`?from=${date}&to=${date}`)).payments).toMatchObject({ paid: 1, amount: "1250.50" })
    expect((await overview(`?from=${date}&to=${next}`)).days.map(({ date: day, paid }) => [day, paid])).toEqual([
      [date, 1],
      [next, 1],
    ])
    expect((await overview("?days=2")).days.map(({ date: day }) => day)).toEqual([date, next])
    expect((await admin.at(merchant.id, "production").get("/overview")).body.overview.payments).toMatchObject({
      paid: 0,
      success_percent: null,
    })
    expect((await admin.at((await newMerchant(store)).id).get("/overview")).body.overview.payments).toMatchObject({
      paid: 0,
    })
  })

  it("recurring revenue is that of a month, exactly; churn is who left of those who were there or came", async () => {
    const kinds = [
      ["700.00", 7, "DAY"],
      ["100.00", 1, "WEEK"],
      ["1000.00", 3, "MONTH"],
      ["1200.01", 1, "YEAR"],
    ] as const
    const subscribers: Subscriber[] = []
    for (const [amount, interval_count, interval_unit] of kinds) {
      const subscriber = await Subscriber.create(merchant, { amount, interval_count, interval_unit })
      await subscriber.pay()
      subscribers.push(subscriber)
    }
    await Subscriber.create(merchant, { amount: "9999.00", trial_period_days: 14 })
    await Subscriber.create(merchant)
    // 700 x 365/84 + 100 x 365/84 + 1000/3 + 1200.01/12 = 3909.5246...
    expect((await overview()).subscriptions).toMatchObject({
      active: 4,
      trialing: 1,
      monthly_recurring_revenue: "3909.52",
      started: 4,
      ended: 0,
      churn_percent: "0.0",
    })
    await subscribers[0].call("POST", "/cancel", { cancel_at_period_end: false })
    await subscribers[1].call("POST", "/pause")
    expect((await overview()).subscriptions).toMatchObject({
      active: 2,
      paused: 1,
      monthly_recurring_revenue: "433.33",
      ended: 1,
      churn_percent: "25.0",
    })
    await merchant.advance(3 * 86_400)
    const { to } = await overview()
    expect((await overview(`?from=${to}&to=${to}`)).subscriptions).toMatchObject({
      at_start: 3,
      started: 0,
      ended: 0,
      churn_percent: "0.0",
    })
  })

  it("counts what waits for an admin", async () => {
    await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: merchant.id })
      .update({ refund_approval_threshold_minor: 100 })
    const session = await merchant.open()
    await merchant.pay(session.session_id)
    await merchant.call("POST", "/payments/refund", {
      transaction_id: session.transaction_id,
      refund_amount: "5.00",
      refund_reason: "broken",
    })
    const { webhook } = (await admin.post("/webhooks", { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] }))
      .body
    await store
      .db("gateway_webhook_endpoint")
      .where({ uuid: webhook.id })
      .orWhere({ id: webhook.id })
      .update({ is_active: false, disabled_reason: messageOf("endpoint.failing", { days: 5 }) })
    expect((await overview()).attention).toEqual({
      unreturned_verifications: 0,
      disputes_to_answer: 0,
      mismatched_payments: 0,
      mismatched_refunds: 0,
      unresolved_payments: 0,
      unresolved_refunds: 0,
      held_payments: 0,
      flagged_payments: 0,
      other_instalments: 0,
      paid_twice: 0,
      paid_without_order: 0,
      refunds_to_approve: 1,
      returns_to_confirm: 0,
      disabled_endpoints: 1,
      failing_endpoints: 0,
      past_due_subscriptions: 0,
      failed_deliveries: 0,
    })
  })

  it("acquirers: how often and how fast each one answered, what is in doubt, and whether it can be reached", async () => {
    const none = await overview()
    expect(none).toMatchObject({
      acquirers: [{ acquirer: "sandbox", paid: 0, declined: 0, success_percent: null, median_ms: null, state: "up" }],
    })
    await paidBy("BKASH", "1000.10")
    await paidBy("NAGAD", "333.33")
    const [declined, left] = [await merchant.open({ order_amount: "300.00" }), await merchant.open()]
    await merchant.pay(declined.session_id)
    await merchant.cancel(left.session_id)
    const lost = () => ({ result: "unknown", message: "The line went dead" }) as const
    const bank = new ScriptedAcquirer("inline", [lost], [lost])
    const { payments, reconciliation } = servicesWith(store, "sandbox", bank)
    const { session_id } = await merchant.open()
    const instrument = { method: "card", card: { number: "4242424242424242" } } as const
    await payments.pay({ session_id, instrument, page_url: "http://pay.test/pay/x" })
    const scripted = async () => (await overview()).acquirers.filter(({ acquirer }) => acquirer === "scripted")
    expect(await scripted()).toEqual([])
    await reconciliation.run(5, {
      merchant_id: merchant.id,
      until: (await reconciliation.nextDue(merchant.id)) as Date,
    })
    expect(await scripted()).toMatchObject([{ paid: 0, declined: 0, in_doubt: 1, state: "gone" }])
    const [sandbox] = (await overview()).acquirers.filter(({ acquirer }) => acquirer === "sandbox")
    expect(sandbox).toMatchObject({ paid: 2, declined: 1, left: 0, success_percent: "66.7", in_doubt: 0 })
    expect(sandbox.median_ms).toBeGreaterThan(0)
    expect(sandbox.p95_ms).toBeGreaterThanOrEqual(sandbox.median_ms as number)
    const rows = await store.db("gateway_payment_attempt").where({ merchant_id: merchant.id }).whereNull("answer_ms")
    expect(rows).toEqual([])
    await foldAll()
    expect((await overview()).acquirers).toContainEqual(sandbox)
    expect(await store.brokenInvariants()).toEqual([])
    expect((await overview("?from=2020-01-01&to=2020-01-02")).acquirers).toContainEqual(
      expect.objectContaining({ acquirer: "sandbox", paid: 0, median_ms: null })
    )
  })

  it("rows that are taken away, and counters that are folded while others write, leave every figure right", async () => {
    const sessions = await Promise.all(Array.from({ length: 12 }, () => merchant.open()))
    const folding = Promise.all(Array.from({ length: 4 }, foldAll))
    await Promise.all(sessions.map(({ session_id }) => merchant.pay(session_id)))
    await folding
    await foldAll()
    expect((await overview()).payments).toMatchObject({ paid: 12, amount: "15006.00" })
    await store
      .db("gateway_transaction")
      .where({ merchant_id: merchant.id })
      .update({ created_at: store.db.raw("now() - interval '8 days'") })
    await gatewayOf(store).sandboxPurge.run()
    expect((await overview()).payments).toMatchObject({ paid: 0, amount: "0.00" })
    expect(await store.brokenInvariants()).toEqual([])
  })

  it.each([
    ["from=2026-02-30", "from", "from must be a date like 2026-01-31"],
    ["from=2026-02-02&to=2026-02-01", "from", "from must not be after to"],
    ["days=367", "days", "days must be a whole number from 1 to 366"],
    [
      "from=2025-01-01&to=2026-02-01",
      "from",
      "from must be at most 366 days before to; ask for a longer time in parts",
    ],
  ])("%s is refused with the field, the limit and the way out", async (query, field, message) => {
    expect(await admin.get(`/overview?${query}`)).toMatchObject({ status: 422, body: { field, message } })
  })

  async function foldAll(): Promise<void> {
    while ((await gatewayOf(store).counters.fold()) > 0);
  }
})

describe("docs/decisions/0060 — the first steps of a merchant", () => {
  type Steps = { first_steps: { dismissed: boolean; steps: { name: string; done: boolean }[] } }
  const read = async () => ((await admin.get("/overview/first-steps")).body as unknown as Steps).first_steps
  const done = async () => (await read()).steps.filter((step) => step.done).map(({ name }) => name)

  it("tick themselves off from what has happened, and only for their merchant", async () => {
    expect((await read()).steps.map(({ name }) => name)).toEqual([
      "profile",
      "acquirer",
      "webhook",
      "test_payment",
      "live",
    ])
    expect(await done()).toEqual([])
    await admin.post("/webhooks", { endpoint_url: `${receiver.url}/first`, event_types: ["*"] })
    expect(await done()).toEqual(["webhook"])
    const { session_id, transaction_id } = await merchant.open()
    expect(await done()).toEqual(["webhook"])
    await merchant.pay(session_id)
    expect(await done()).toEqual(["webhook", "test_payment"])
    await store.db("gateway_acquirer_account").insert({
      id: `gaa_${merchant.id.slice(-20)}`,
      merchant_id: merchant.id,
      environment: "production",
      acquirer: "sslcommerz",
      services: ["CARD"],
      settings: {},
      credentials: "unreadable",
    })
    expect(await done()).toEqual(["webhook", "test_payment"])
    await store.db("gateway_acquirer_account").where({ merchant_id: merchant.id }).update({ worked_at: new Date() })
    expect(await done()).toEqual(["acquirer", "webhook", "test_payment"])
    await store.db("gateway_transaction").where({ id: transaction_id }).update({ environment: "production" })
    expect(await done()).toEqual(["acquirer", "webhook", "test_payment", "live"])
    await store
      .db("gateway_merchant")
      .where({ id: merchant.id })
      .update({ profile: JSON.stringify({ support_email: "help@example.com" }) })
    expect(await done()).toEqual(["profile", "acquirer", "webhook", "test_payment", "live"])
    await store.db("gateway_transaction").where({ id: transaction_id }).update({ environment: "sandbox" })
    merchant = await newMerchant(store)
    admin = new Admin(store, headers, merchant.id)
    expect(await done()).toEqual([])
  })

  it("are dismissed for the merchant, with a trace", async () => {
    expect((await read()).dismissed).toBe(false)
    expect((await admin.post("/overview/first-steps/dismiss")).status).toBe(200)
    expect((await read()).dismissed).toBe(true)
    expect((await admin.changes())[0]).toMatchObject({ action: "merchant.updated" })
  })
})

describe("API keys", () => {
  it("are shown once, listed without themselves, and void from the moment they are revoked", async () => {
    const { body } = await admin.post("/api-keys", { name: "Web shop", expires_at: "2099-01-01T00:00:00Z" })
    expect(body.key).toMatch(/^sk_test_/)
    expect(body.api_key).toMatchObject({
      name: "Web shop",
      prefix: "sk_test_",
      last_four: body.key.slice(-4),
      expires_at: "2099-01-01T00:00:00.000Z",
    })
    const listed = await admin.get("/api-keys?q=web")
    expect(ids(listed.body.api_keys)).toEqual([body.api_key.id])
    expect(listed.text).not.toContain(body.key)
    const asked = () => merchant.call("GET", "/sandbox/clock", undefined, { key: body.key })
    expect((await asked()).status).toBe(200)
    expect((await admin.delete(`/api-keys/${body.api_key.id}`)).body.api_key.revoked_at).not.toBeNull()
    expect((await asked()).status).toBe(401)
    expect((await admin.delete(`/api-keys/${body.api_key.id}`)).status).toBe(200)
    expect((await admin.changes(body.api_key.id)).map(({ action, actor }) => [action, actor.type, actor.name])).toEqual(
      [
        ["api_key.revoked", "user", ADMIN.email],
        ["api_key.created", "user", ADMIN.email],
      ]
    )
  })

  it("decisions: Environments — production keys need an approved business verification, and may be restricted", async () => {
    const production = admin.at(merchant.id, "production")
    expect(await production.post("/api-keys", { name: "live" })).toMatchObject({
      status: 403,
      body: { code: "SERVICE_NOT_ENABLED" },
    })
    await admin.post(`/merchants/${merchant.id}`, { verification_status: "approved" })
    expect((await production.post("/api-keys", { name: "live" })).body.key).toMatch(/^sk_live_/)
    expect((await production.post("/api-keys", { name: "live", scopes: ["payments:read"] })).body.key).toMatch(
      /^rk_live_/
    )
    expect(await production.post("/api-keys", { name: "live", scopes: ["everything"] })).toMatchObject({
      status: 422,
      body: { field: "scopes" },
    })
    expect(await admin.post("/api-keys", { name: "x", scopes: ["payments:read"] })).toMatchObject({
      status: 422,
      body: { field: "scopes" },
    })
  })

  it.each([
    [{}, "name"],
    [{ name: "x".repeat(101) }, "name"],
    [{ name: "late", expires_at: "2001-01-01T00:00:00Z" }, "expires_at"],
    [{ name: "none", scopes: [] }, "scopes"],
  ])("%j is refused and names %s", async (body, field) => {
    expect(await admin.post("/api-keys", body)).toMatchObject({ status: 422, body: { field } })
  })
})

describe("webhooks", () => {
  const create = (changes = {}) =>
    admin.post("/webhooks", { endpoint_url: `${receiver.url}/hook`, event_types: ["payment.succeeded"], ...changes })

  it("are made, changed, switched off and on, rotated and deleted, and every step is in the audit log without secrets", async () => {
    const { body } = await create()
    const { id } = body.webhook
    expect(body.secret).toMatch(/^whsec_/)
    expect((await admin.get("/webhooks")).text).not.toContain("whsec_")
    await admin.post(`/webhooks/${id}`, { event_types: ["*"], signature_format: "prefixed" })
    await admin.post(`/webhooks/${id}`, { is_active: false })
    await admin.post(`/webhooks/${id}`, { is_active: true })
    const rotated = await admin.post(`/webhooks/${id}/rotate-secret`)
    expect(rotated.body.secret).toMatch(/^whsec_/)
    expect(rotated.body.secret).not.toBe(body.secret)
    expect((await admin.get(`/webhooks/${id}`)).body.webhook).toMatchObject({
      event_types: ["*"],
      signature_format: "prefixed",
      is_active: true,
    })
    await admin.delete(`/webhooks/${id}`)
    expect((await admin.get(`/webhooks/${id}`)).status).toBe(404)

    const changes = (await admin.get("/audit?action=webhook_endpoint.")).body.audit_entries
    expect(changes.map(({ action }) => action.split(".")[1])).toEqual([
      "deleted",
      "secret_rotated",
      "updated",
      "updated",
      "updated",
      "created",
    ])
    expect(changes[4].changes).toEqual({
      event_types: { from: ["payment.succeeded"], to: ["*"] },
      signature_format: { from: "hex", to: "prefixed" },
    })
    expect(JSON.stringify(changes)).not.toContain("whsec_")
  })

  it("what a merchant's key changes over /api/v2 is in the audit log too, under the key's name", async () => {
    const answer = await merchant.call("POST", "/merchants/webhooks", {
      endpoint_url: `${receiver.url}/own`,
      event_types: ["*"],
    })
    const { id } = answer.body.data as unknown as { id: number }
    await merchant.call("PATCH", `/merchants/webhooks/${id}`, { event_types: ["payment.failed"] })
    await merchant.call("POST", "/merchants/ipn-secret/rotate")
    await merchant.advance(60)
    const changes = await admin.changes()
    expect(changes.map(({ action, actor }) => [action, actor.type])).toEqual([
      ["sandbox_clock.moved", "merchant_key"],
      ["ipn_secret.rotated", "merchant_key"],
      ["webhook_endpoint.updated", "merchant_key"],
      ["webhook_endpoint.created", "merchant_key"],
      ["api_key.created", "system"],
      ["merchant.created", "system"],
    ])
    expect(changes[0].actor.name).toBe(`tests (sk_test_…${merchant.key.slice(-4)})`)
  })

  it("a refused URL, an unknown event and a change of nothing", async () => {
    expect(await create({ endpoint_url: "ftp://example.com" })).toMatchObject({
      status: 400,
      body: { code: "INVALID_CALLBACK_URL", field: "endpoint_url" },
    })
    expect(await create({ event_types: ["payment.maybe"] })).toMatchObject({
      status: 422,
      body: { field: "event_types[0]" },
    })
    const { body } = await create()
    const before = await admin.changes(body.webhook.id)
    await admin.post(`/webhooks/${body.webhook.id}`, { event_types: ["payment.succeeded"] })
    expect(await admin.changes()).toHaveLength(3)
    expect(before).toEqual([])
  })

  it("a sample goes to an endpoint, signed as its deliveries are, and says how the receiver took it", async () => {
    const { body } = await create({ signature_format: "prefixed" })
    const sent = await admin.post("/test-deliveries", { event: "payment.succeeded", webhook_id: body.webhook.id })
    expect(sent.body.test_delivery).toMatchObject({ delivered: true, status_code: 200, url: `${receiver.url}/hook` })
    expect(receiver.at("/hook")[0].headers["x-webhook-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/)
    receiver.answer = (response) => response.writeHead(503).end("busy")
    const failed = await admin.post("/test-deliveries", { event: "refund.completed", url: `${receiver.url}/any` })
    expect(failed.body.test_delivery).toMatchObject({ delivered: false, status_code: 503, response: "busy" })
    expect(await admin.post("/test-deliveries", { event: "refund.completed" })).toMatchObject({
      status: 422,
      body: { field: "webhook_id" },
    })
    expect(
      await admin
        .at(merchant.id, "production")
        .post("/test-deliveries", { event: "refund.completed", url: `${receiver.url}/any` })
    ).toMatchObject({
      status: 403,
      body: { code: "INVALID_ENVIRONMENT" },
    })
  })

  it("the IPN secret is shown and rotated", async () => {
    const { secret } = (await admin.get("/ipn-secret")).body.ipn_secret
    expect((await admin.get("/ipn-secret")).body.ipn_secret.secret).toBe(secret)
    const rotated = (await admin.post("/ipn-secret/rotate")).body.ipn_secret
    expect(rotated.secret).not.toBe(secret)
    expect(Date.parse(rotated.previous_secret_until ?? "")).toBeGreaterThan(Date.now())
  })
})

describe("events and deliveries", () => {
  /** A paid checkout with one endpoint and its own ipn_url; the endpoint fails. */
  async function deliver(listener: Receiver): Promise<string> {
    listener.answer = (response, { url }) => response.writeHead(url.startsWith("/hook") ? 500 : 200).end("no")
    await admin.post("/webhooks", { endpoint_url: `${listener.url}/hook`, event_types: ["*"] })
    const { session_id, transaction_id } = await merchant.open({ ipn_url: `${listener.url}/ipn` })
    await merchant.pay(session_id)
    await gatewayOf(store).webhookDispatch.drain(merchant.id)
    return transaction_id
  }

  it("are listed by what they are about, kind and status, and shown with bodies and attempts", async () => {
    const transaction_id = await deliver(receiver)
    const { events } = (await admin.get(`/events?q=${transaction_id}`)).body
    expect(events).toMatchObject([{ event_type: "payment.succeeded", resource_id: transaction_id }])
    expect((await admin.get(`/events/${events[0].id}`)).body.event.body).toMatchObject({
      event_id: events[0].id,
      data: { transaction_id },
    })
    expect((await admin.get("/events?event_type=refund.failed")).body).toMatchObject({
      events: [],
      count: 0,
      count_is_exact: true,
    })

    const about = await admin.get(`/deliveries?q=${transaction_id}`)
    expect(about.body.deliveries.map(({ kind, status, status_code }) => [kind, status, status_code]).sort()).toEqual([
      ["ipn", "delivered", 200],
      ["webhook", "pending", 500],
    ])
    expect((await admin.get("/deliveries?kind=ipn&status=delivered")).body.count).toBe(1)
    const [pending] = (await admin.get("/deliveries?status=pending")).body.deliveries
    const { delivery } = (await admin.get(`/deliveries/${pending.id}`)).body
    expect(delivery.log).toMatchObject([{ attempt: 1, status_code: 500, response: "no" }])
    expect(JSON.parse(receiver.at("/hook")[0].raw)).toEqual(delivery.body)
  })

  it("with a clock that is months ahead, every time is the merchant's clock's, and so are the filters by date", async () => {
    await clockTo(merchant, "2028-05-01T00:00:00Z")
    const transaction_id = await deliver(receiver)
    const paidAt = "2028-05-01T00:"
    const listed = (await admin.get(`/deliveries?q=${transaction_id}`)).body.deliveries
    const [retried] = listed.filter(({ status }) => status === "pending")
    const [ipn] = listed.filter(({ status }) => status === "delivered")
    for (const time of [retried.created_at, retried.next_attempt_at, ipn.created_at, ipn.delivered_at]) {
      expect(time).toContain(paidAt)
    }
    const { delivery } = (await admin.get(`/deliveries/${retried.id}`)).body
    expect([delivery.created_at, delivery.next_attempt_at]).toEqual([retried.created_at, retried.next_attempt_at])
    expect(String(delivery.log[0].attempted_at) > String(delivery.created_at)).toBe(true)
    expect((await admin.post(`/deliveries/${retried.id}/redeliver`)).body.delivery.next_attempt_at).toContain(paidAt)

    const { payment } = (await admin.get(`/payments/${transaction_id}`)).body
    const times = payment.timeline.flatMap(({ at, deliveries = [] }) => [
      at,
      ...deliveries.flatMap((one) => [one.created_at, one.next_attempt_at, one.delivered_at]),
    ])
    for (const time of [payment.created_at, ...times.filter((one) => one !== null)]) {
      expect(time).toContain(paidAt)
    }

    const later = "2028-06-15T00:00:00Z"
    await clockTo(merchant, later)
    const { plan } = (await admin.post("/plans", PLAN)).body
    const { subscription } = (
      await admin.post("/subscriptions", { customer: someone(), subscription_plan_id: plan.number })
    ).body
    const { invoice } = (await admin.post("/invoices", { subscription_id: subscription.id })).body
    const { transaction_id: second } = await merchant.open()
    const counts = async (query: string) =>
      Promise.all(
        ["deliveries", "events", "payments", "plans", "subscriptions", "invoices"].map(
          async (list) => (await admin.get(`/${list}?${query}`)).body.count
        )
      )
    const all = await counts("")
    const [before, after] = [await counts(`from=2028-04-30T23:59:00Z&to=${later}`), await counts(`from=${later}`)]
    expect(before.slice(0, 3)).toEqual([2, 1, 1])
    expect(after.slice(2)).toEqual([1, 1, 1, 1])
    expect(before.map((count, list) => count + after[list])).toEqual(all)
    expect(await counts("to=2028-04-30T00:00:00Z")).toEqual([0, 0, 0, 0, 0, 0])
    expect(ids((await admin.get(`/payments?from=${later}`)).body.payments)).toEqual([second])
    expect(
      (await admin.get(`/events?from=${later}`)).body.events.every(
        ({ occurred_at }) => String(occurred_at) >= "2028-06-15"
      )
    ).toBe(true)
    expect(ids((await admin.get(`/invoices?from=${later}`)).body.invoices)).toEqual([invoice.id])
  })

  it("are sent again one by one, or all that have failed", async () => {
    await deliver(receiver)
    const [pending] = (await admin.get("/deliveries?status=pending")).body.deliveries
    await store.db("gateway_webhook_delivery").where({ id: pending.id }).update({ state: "failed" })
    const since = new Date(Date.now() - 60_000).toISOString()
    expect((await admin.post("/deliveries/redeliver-failed", { since })).body.redelivered).toBe(1)
    expect((await admin.post("/deliveries/redeliver-failed", {})).body).toMatchObject({
      code: "MISSING_REQUIRED_FIELD",
      field: "since",
    })
    receiver.answer = (response) => response.writeHead(200).end()
    await gatewayOf(store).webhookDispatch.drain(merchant.id)
    expect((await admin.get(`/deliveries/${pending.id}`)).body.delivery).toMatchObject({
      status: "delivered",
      attempts: 2,
    })
    expect((await admin.post(`/deliveries/${pending.id}/redeliver`)).body.delivery).toMatchObject({ status: "pending" })
    expect((await admin.get("/audit?action=webhook_delivery.")).body.audit_entries.map(({ action }) => action)).toEqual(
      ["webhook_delivery.redelivered", "webhook_delivery.all_redelivered"]
    )
  })
})

describe("the sandbox clock", () => {
  it("is moved from the admin, does what has fallen due, and exists in the sandbox only", async () => {
    const { transaction_id } = await merchant.open()
    const { clock } = (await admin.post("/clock", { advance_seconds: 1_800 })).body
    expect(clock).toMatchObject({ offset_seconds: 1_800, processed: { expired_sessions: 1 } })
    expect((await merchant.verified(transaction_id)).status).toBe("EXPIRED")
    expect((await admin.get("/clock")).body.clock.offset_seconds).toBe(1_800)
    expect(await admin.post("/clock", { advance_seconds: -1 })).toMatchObject({
      status: 422,
      body: { field: "advance_seconds" },
    })
    expect(await admin.at(merchant.id, "production").get("/clock")).toMatchObject({ status: 403 })
    const [entry] = await admin.changes()
    expect([entry.action, entry.actor.name, Object.keys(entry.changes)]).toEqual([
      "sandbox_clock.moved",
      ADMIN.email,
      ["now"],
    ])
  })
})

describe("the log of requests", () => {
  /** The process writes its log entries together, once a second. */
  const requestsLogged = (count: number) => until(async () => (await admin.get("/requests")).body.count >= count)

  it("has operation, outcome, key and duration of each, and nothing that was sent", async () => {
    const { transaction_id } = await merchant.open()
    await merchant.verify(transaction_id, { headers: { "X-Request-Id": "a-request-of-mine" } })
    await merchant.checkout({ order_amount: "1.00" })
    await merchant.call("GET", "/sandbox/clock", undefined, { key: "sk_test_of-nobody" })
    await requestsLogged(3)
    const all = await admin.get("/requests?order=requested_at")
    expect(all.body.requests.map(({ method, path, status, error_code }) => [method, path, status, error_code])).toEqual(
      [
        ["POST", "/payments/checkout", 200, null],
        ["GET", "/payments/verify/{transaction_id}", 200, null],
        ["POST", "/payments/checkout", 400, "INVALID_REQUEST"],
      ]
    )
    expect(all.body.requests[0]).toMatchObject({ key_name: "tests", key: `sk_test_…${merchant.key.slice(-4)}` })
    expect(all.body.requests[0].duration_ms).toBeGreaterThanOrEqual(0)
    expect(all.text).not.toMatch(new RegExp(`${transaction_id}|rahima|${merchant.key}`))
    expect((await admin.get("/requests?q=a-request-of-mine")).body.count).toBe(1)
    expect((await admin.get("/requests?outcome=refused&method=POST")).body.count).toBe(1)
    expect((await admin.get("/requests?outcome=failed")).body.count).toBe(0)
  })

  it("has requests that were refused after their key was known, and is forgotten after its days", async () => {
    await admin.post(`/merchants/${merchant.id}`, { status: "suspended" })
    await merchant.call("GET", "/sandbox/clock")
    await requestsLogged(1)
    expect((await admin.get("/requests")).body.requests).toMatchObject([
      { status: 403, error_code: "MERCHANT_SUSPENDED" },
    ])
    const old = new Date(Date.now() - 8 * 86_400_000)
    await store
      .db("gateway_request_log")
      .where({ merchant_id: merchant.id })
      .update({ requested_at: old, created_at: old })
    await gatewayOf(store).partitions.make()
    await gatewayOf(store).requestLog.purge()
    expect((await admin.get("/requests")).body.count).toBe(0)
  })

  it("says which address each came from, and believes no X-Forwarded-For", async () => {
    await merchant.call("GET", "/sandbox/clock", undefined, { headers: FORGED })
    await requestsLogged(1)
    const [{ address }] = (await admin.get("/requests")).body.requests
    expect(address).toMatch(LOOPBACK)
  })
})

describe("decisions: Origins — the audit log", () => {
  it("says which address and request each change came from, an admin's and a key's, and believes no X-Forwarded-For", async () => {
    const signedIn = await signIn(store)
    const changed = await fetch(`${store.url}/admin/gateway/merchants/${merchant.id}`, {
      method: "POST",
      headers: { ...signedIn, ...FORGED, "Content-Type": "application/json", "X-Request-Id": "of-the-admin" },
      body: JSON.stringify({ name: "Another name" }),
    })
    expect(changed.status).toBe(200)
    const headers = { ...FORGED, "X-Request-Id": "of-the-merchant" }
    await merchant.call("POST", "/merchants/ipn-secret/rotate", undefined, { headers })
    const { audit_entries } = (await admin.get("/audit")).body
    expect(audit_entries.slice(0, 2)).toMatchObject([
      { action: "ipn_secret.rotated", address: expect.stringMatching(LOOPBACK), request_id: "of-the-merchant" },
      { action: "merchant.updated", address: expect.stringMatching(LOOPBACK), request_id: "of-the-admin" },
    ])
    expect((await admin.get("/audit?q=of-the-admin")).body.count).toBe(1)
  })

  it("a request id that is not safe to keep is not kept, and the address is", async () => {
    const signedIn = await signIn(store)
    const headers = { ...signedIn, "Content-Type": "application/json", "X-Request-Id": "<not an id>" }
    const body = JSON.stringify({ name: "A third name" })
    await fetch(`${store.url}/admin/gateway/merchants/${merchant.id}`, { method: "POST", headers, body })
    const [entry] = (await admin.get("/audit")).body.audit_entries
    expect(entry).toMatchObject({ address: expect.stringMatching(LOOPBACK), request_id: null })
  })

  it("background work has neither", async () => {
    await gatewayOf(store).merchants.update(merchant.id, { name: "By itself" })
    expect((await admin.get("/audit")).body.audit_entries[0]).toMatchObject({
      actor: { type: "system" },
      address: null,
      request_id: null,
    })
  })

  it.each([
    ["update", "UPDATE gateway_audit_entry SET actor_id = 'somebody else'"],
    ["delete", "DELETE FROM gateway_audit_entry"],
    ["truncate", "TRUNCATE gateway_audit_entry"],
  ])("the database refuses to %s an entry", async (_what, statement) => {
    await expect(store.db.raw(statement)).rejects.toThrow("audit entries are never changed and never deleted")
  })
})

describe("payments", () => {
  it("are found by order, e-mail, transaction, status and service, and sorted by time and amount", async () => {
    const open = async (amount: string, order_id: string) =>
      (await merchant.open({ order_amount: amount, order_id })).transaction_id
    const dear = await open("900.00", `DEAR-${merchant.id.slice(-8)}`)
    const cheap = await merchant.open({ order_amount: "20.00", customer: { ...CUSTOMER, email: "Karim@Example.com" } })
    await merchant.pay(cheap.session_id, { payment_method: "mobile_banking", payment_service: "BKASH" })
    const found = async (query: string) => ids((await admin.get(`/payments?${query}`)).body.payments)
    const [both, newest] = [
      [dear, cheap.transaction_id],
      [cheap.transaction_id, dear],
    ]
    expect(await found("")).toEqual(newest)
    expect(await found("order=created_at")).toEqual(both)
    expect(await found("order=-amount")).toEqual(both)
    expect(await found("limit=1&offset=1")).toEqual([dear])
    expect(await found("q=DEAR-")).toEqual([dear])
    expect(await found("q=karim@ex")).toEqual([cheap.transaction_id])
    expect(await found(`q=${dear}`)).toEqual([dear])
    expect(await found(`q=${cheap.session_id}`)).toEqual([cheap.transaction_id])
    expect(await found("q=%25")).toEqual([])
    expect(await found("status=SUCCESS")).toEqual([cheap.transaction_id])
    expect(await found("status=PENDING")).toEqual([dear])
    expect(await found("status=SUCCESS,PENDING")).toEqual(newest)
    expect(await found("service=BKASH,NAGAD")).toEqual([cheap.transaction_id])
    expect(await found(`to=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual([])
    await merchant.advance(1_800)
    expect(await found("status=EXPIRED")).toEqual([dear])
    expect(await found("status=PENDING")).toEqual([])
    expect((await admin.get("/payments")).body.payments[0]).toMatchObject({
      status: "SUCCESS",
      amount: "20.00",
      charge_amount: "0.30",
      payment_service: "BKASH",
      customer: { email: "Karim@Example.com" },
    })
  })

  /** One payment that every search below must find, and one that none of them may. */
  async function oneAndAnother(): Promise<{ sought: string; number: string }> {
    const customer = { ...CUSTOMER, name: "Md. Karim রহমান", email: "karim@example.com", phone: "01898765432" }
    const one = await merchant.open({ order_amount: "1100.00", customer })
    await merchant.pay(one.session_id, { payment_method: "card", card_number: "4111111111111111" })
    await merchant.pay((await merchant.open({ order_amount: "2200.00" })).session_id)
    const number = "104277"
    await store.db("gateway_checkout_session").where({ id: one.session_id }).update({ order_number: number })
    return { sought: one.transaction_id, number }
  }

  it("docs/decisions/0060 — are found by order number, name, phone, last four digits and amount, however they are written", async () => {
    const { sought, number } = await oneAndAnother()
    const found = async (q: string) => ids((await admin.get(`/payments?${new URLSearchParams({ q })}`)).body.payments)
    /** How a text is searched that very many payments match. */
    const compared = async (q: string) => {
      const { sql, values } = comparedRows(q)
      const text = `SELECT t.id FROM gateway_transaction t WHERE t.merchant_id = ? AND ${sql}`
      const { rows } = await store.db.raw<{ rows: { id: string }[] }>(text, [merchant.id, ...(values as string[])])
      return ids(rows)
    }
    const spellings = [number, `#${number}`, "Karim", "karim md", "রহ", "KARIM@exam"]
    const phones = ["01898765432", "+880 1898-765432", "8801898765432", "+880 (0)1898 765432", "০১৮৯৮৭৬৫৪৩২", "018987"]
    const rest = ["1111", "•••• 1111", "1,100", "1100.00", "৳1,100.00", "1100", "১,১০০"]
    for (const q of [...spellings, ...phones, ...rest]) {
      expect([q, await found(q)]).toEqual([q, [sought]])
      expect([q, await compared(q)]).toEqual([q, [sought]])
    }
    for (const q of [number.slice(0, -1), "Kar Rahima", "01898765433", "2222", "1,100.01", "'", "|&!:*", "\\"]) {
      expect([q, await found(q)]).toEqual([q, []])
      expect([q, await compared(q)]).toEqual([q, []])
    }
    const other = await newMerchant(store)
    expect((await admin.at(other.id).get("/payments?q=Karim")).body.payments).toEqual([])
    expect((await admin.get("/payments?q=Karim")).body.payments[0]).toMatchObject({ order_number: number })
  })

  it("docs/decisions/0060 — every part of a search is read along an index", async () => {
    const tenants = { merchant_ids: [merchant.id], environments: ["sandbox"] }
    for (const q of ["Karim", "#1042", "ORD-1", "01712345678", "4242", "1,100.00", "karim@example.com"]) {
      const { sql, values } = foundPayments(q, tenants)
      const plan = await store.db.transaction(async (transaction): Promise<{ rows: Record<string, string>[] }> => {
        // The tables of a test are so small that reading all of one is cheaper than any index of it.
        await transaction.raw("SET LOCAL enable_seqscan = off")
        const bindings = values as readonly string[]
        return transaction.raw(`EXPLAIN ${sql.replace(/\$\d+/g, "?")}`, bindings)
      })
      const lines = plan.rows.map((row) => row["QUERY PLAN"])
      expect([q, lines.filter((line) => line.includes("Seq Scan"))]).toEqual([q, []])
      expect([q, lines.some((line) => line.includes("_search_"))]).toEqual([q, true])
    }
  })

  it("docs/decisions/0060 — are found in Medusa's search, of every merchant and beside Medusa's own results", async () => {
    const { sought } = await oneAndAnother()
    const search = async (query: string) => {
      const response = await fetch(`${store.url}/admin/search?${query}`, { headers })
      const { results } = (await response.json()) as { results?: { entity: string; count: number; data: Row[] }[] }
      return { status: response.status, results }
    }
    const phone = `q=${encodeURIComponent("+880 1898-765432")}`
    const alone = await search(`${phone}&entity=gateway_payment&limit=100`)
    expect(alone.results?.[0].data.find(({ id }) => id === sought)).toMatchObject({
      merchant_id: merchant.id,
      environment: "sandbox",
      status: "SUCCESS",
      amount: "1100.00",
      customer: { name: "Md. Karim রহমান" },
    })
    for (const entity of [
      "entity=order,gateway_payment,customer",
      "entity[]=order&entity[]=gateway_payment&entity[]=customer",
    ]) {
      const { status, results } = await search(`${phone}&${entity}`)
      expect([status, results?.map((group) => group.entity)]).toEqual([200, ["order", "customer", "gateway_payment"]])
    }
    expect((await search(phone)).results?.map((group) => group.entity)).not.toContain("gateway_payment")
    expect((await search(`${phone}&entity=order,nothing`)).status).toBe(404)
    for (const hostile of ["q=%00", "q=", "q=%20", `q=${"a".repeat(300)}`, "q=%27"]) {
      const { status, results } = await search(`${hostile}&entity=gateway_payment`)
      expect([hostile, status, results?.[0].data]).toEqual([hostile, 200, []])
    }
    for (const refused of ["q=%27&limit=1000000", "q=a&offset=-1", "q[]=a"]) {
      expect([refused, (await search(`${refused}&entity=gateway_payment`)).status]).toEqual([refused, 400])
    }
    expect((await fetch(`${store.url}/admin/search?${phone}&entity=gateway_payment`)).status).toBe(401)
  })

  it("docs/decisions/0060 — show the EMI plan with its schedule, and why the last attempt failed", async () => {
    await addEmi(store, merchant.id, { bank_name: "Padma Demo Bank", processing_fee: "100" })
    const { session_id, transaction_id } = await merchant.open({ order_amount: "12000.00", order_id: orderId() })
    const [configuration] = await store.db("gateway_emi_configuration").where({ merchant_id: merchant.id })
    await merchant.pay(session_id, { payment_method: "card", emi_configuration_id: configuration.uuid })
    const { payment } = (await admin.get(`/payments/${transaction_id}`)).body
    const emi = payment.emi as Record<string, unknown> & { schedule: { due_month: string; amount: string }[] }
    expect(emi).toMatchObject({ bank: "Padma Demo Bank", months: 12, fee: "100.00", merchant_absorbs: false })
    expect(emi.schedule).toHaveLength(12)
    expect(emi.schedule[0].amount).toBe(emi.first_payment)
    const sum = emi.schedule.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0)
    expect((sum / 100).toFixed(2)).toBe(emi.total_with_fee)
    expect((await admin.get(`/payments?q=${String(emi.total_with_fee)}`)).body.payments).toMatchObject([
      { id: transaction_id, emi: { bank: "Padma Demo Bank", months: 12, total_with_fee: emi.total_with_fee } },
    ])
    const declined = await merchant.open()
    await merchant.pay(declined.session_id, { payment_method: "card", card_number: "4000000000009995", final: false })
    expect((await admin.get(`/payments?q=${declined.transaction_id}`)).body.payments).toMatchObject([
      { status: "PENDING", emi: null, decline: { code: "INSUFFICIENT_FUNDS" } },
    ])
  })

  it("an OPEN one whose time is up counts as EXPIRED before any job has run", async () => {
    const { transaction_id } = await merchant.open()
    await store
      .db("gateway_transaction")
      .where({ id: transaction_id })
      .update({ expires_at: new Date(Date.now() - 1_000) })
    expect((await admin.get("/payments?status=EXPIRED")).body.payments).toMatchObject([
      { id: transaction_id, status: "EXPIRED" },
    ])
    expect((await admin.get("/payments?status=PENDING")).body.count).toBe(0)
  })

  it("have a timeline from the opened session to every delivery and refund", async () => {
    await admin.post("/webhooks", { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] })
    const { session_id, transaction_id } = await merchant.open({ ipn_url: `${receiver.url}/ipn` })
    await merchant.pay(session_id)
    await gatewayOf(store).refunds.create({
      transaction_id,
      amount: 5_000n,
      reason: "a scratch",
      requested_by: "the test",
      request_key: "one",
    })
    await gatewayOf(store).webhookDispatch.drain(merchant.id)
    const { payment } = (await admin.get(`/payments/${transaction_id}`)).body
    expect(payment).toMatchObject({
      id: transaction_id,
      status: "SUCCESS",
      refunded_amount: "50.00",
      customer: { email: "rahima@example.com" },
    })
    expect(payment.timeline.map(({ type, status, event_type }) => event_type ?? status ?? type)).toEqual([
      "session_opened",
      "attempt",
      "SUCCESS",
      "payment.succeeded",
      "refund_requested",
      "refund.initiated",
      "refund.processing",
      "completed",
      "refund.completed",
    ])
    const [event] = payment.timeline.filter(({ event_type }) => event_type === "payment.succeeded")
    expect(event.deliveries.map(({ kind, status }) => [kind, status]).sort()).toEqual([
      ["ipn", "delivered"],
      ["webhook", "delivered"],
    ])
    expect(JSON.stringify(payment)).not.toMatch(/whsec_|acquirer_ids|return_key/)
  })

  it("declined and moved clocks: what happened stays in order", async () => {
    await merchant.advance(86_400)
    const { session_id, transaction_id } = await merchant.open({ order_amount: "300.00" })
    await merchant.pay(session_id)
    const { timeline } = (await admin.get(`/payments/${transaction_id}`)).body.payment
    expect(timeline.map(({ type }) => type)).toEqual(["session_opened", "attempt", "settled", "event"])
    expect(timeline[2]).toMatchObject({ status: "FAILED", error_code: "CARD_DECLINED" })
  })

  it("decisions: Checkout — every attempt with its service, its decline and its end, also by a clock that runs ahead", async () => {
    await merchant.advance(86_400)
    const { session_id, transaction_id } = await merchant.open()
    for (const card_number of ["4000000000000002", "4000000000009995"]) {
      await merchant.pay(session_id, { payment_method: "card", card_number, final: false })
    }
    await merchant.pay(session_id, { payment_method: "wallet", final: false })
    const { timeline } = (await admin.get(`/payments/${transaction_id}`)).body.payment
    const shown = timeline.map(({ type, number, state, payment_service, error_code }) =>
      [type, number, state, payment_service, error_code].filter((part) => part !== undefined && part !== null)
    )
    expect(shown).toEqual([
      ["session_opened"],
      ["attempt", 1, "DECLINED", "CARD"],
      ["attempt_ended", 1, "DECLINED", "CARD", "CARD_DECLINED"],
      ["attempt", 2, "DECLINED", "CARD"],
      ["attempt_ended", 2, "DECLINED", "CARD", "INSUFFICIENT_FUNDS"],
      ["attempt", 3, "SUCCEEDED", "WALLET"],
      ["settled"],
      ["event"],
    ])
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).sort())
  })

  it("decisions: Checkout — left after a decline: the decline at its time, and the payment's own end later", async () => {
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id, { payment_method: "card", card_number: "4000000000000002", final: false })
    await merchant.cancel(session_id)
    const { timeline } = (await admin.get(`/payments/${transaction_id}`)).body.payment
    expect(timeline.map(({ type, status }) => status ?? type)).toEqual([
      "session_opened",
      "attempt",
      "attempt_ended",
      "FAILED",
      "event",
    ])
  })
})

describe("decisions: Refunds — in the audit log", () => {
  const [COMPLETES, FAILS] = ["4000000000007726", "4000000000005126"]
  const paid = async (card_number: string) => {
    const { session_id, transaction_id } = await merchant.open({ order_amount: "1000.00" })
    await merchant.pay(session_id, { payment_method: "card", card_number })
    return transaction_id
  }
  const requested = async (transaction_id: string, refund_amount: string, by: "key" | "admin") => {
    const body = { transaction_id, refund_amount, refund_reason: "Broken" }
    if (by === "admin") {
      return (await admin.post("/refunds", body)).body.refund.id
    }
    const { data } = (await merchant.call("POST", "/payments/refund", body)).body
    return (data as unknown as { refund_id: string }).refund_id
  }
  const entries = async (id: string) =>
    (await admin.changes(id)).reverse().map(({ action, actor, address }) => [action, actor.type, address !== null])

  it("says who requested each, and what became of it, with the amount and the acquirer's words", async () => {
    const byAdmin = await requested(await paid(COMPLETES), "10.00", "admin")
    expect(await entries(byAdmin)).toEqual([
      ["refund.requested", "user", true],
      ["refund.completed", "system", false],
    ])
    const byKey = await requested(await paid(FAILS), "20.00", "key")
    expect(await entries(byKey)).toEqual([
      ["refund.requested", "merchant_key", true],
      ["refund.failed", "system", false],
    ])
    const [failed, asked] = await admin.changes(byKey)
    expect(asked.changes).toMatchObject({
      amount: { from: null, to: "20.00" },
      currency: { from: null, to: "BDT" },
      reason: { from: null, to: "Broken" },
    })
    expect(failed.changes).toMatchObject({
      state: { from: "processing", to: "failed" },
      amount: { from: null, to: "20.00" },
      error_message: { from: null, to: expect.stringMatching(/./) },
    })
  })

  it("above the merchant's threshold it says who approved, and of a batch who sent it", async () => {
    await admin.post("/settings", { refund_approval_threshold: "100.00" })
    const held = await requested(await paid(COMPLETES), "500.00", "key")
    await admin.post(`/refunds/${held}/approve`, { note: "Seen" })
    expect(await entries(held)).toEqual([
      ["refund.requested", "merchant_key", true],
      ["refund.approved", "user", true],
      ["refund.completed", "system", false],
    ])
    const csv = `transaction_id,refund_amount,refund_reason\n${await paid(COMPLETES)},7.00,Late`
    const { refund_batch } = (await admin.post("/refund-batches", { csv })).body
    const [{ id }] = refund_batch.refunds as { id: string }[]
    expect((await entries(id))[0]).toEqual(["refund.requested", "user", true])
  })

  it("a refused request leaves no entry, and no refund is without one", async () => {
    const transaction_id = await paid(COMPLETES)
    const refused = await admin.post("/refunds", { transaction_id, refund_amount: "1000.01", refund_reason: "Broken" })
    expect([refused.status, refused.body.code]).toEqual([400, "REFUND_EXCEEDED"])
    expect((await admin.get("/audit?action=refund.")).body.audit_entries).toEqual([])
    const ids = [await requested(transaction_id, "1.00", "key"), await requested(transaction_id, "2.00", "admin")]
    const { body } = await admin.get("/audit?action=refund.requested")
    expect(body.audit_entries.map((entry) => (entry as unknown as { resource_id: string }).resource_id)).toEqual(
      ids.reverse()
    )
    expect(body.count).toBe(2)
    expect((await admin.get("/audit?action=refund.c")).body.audit_entries.map(({ action }) => action)).toEqual([
      "refund.completed",
      "refund.completed",
    ])
  })
})

describe("settings", () => {
  it("profile and business verification are changed by admins, from what to what is kept", async () => {
    await admin.post(`/merchants/${merchant.id}`, { name: "Shapla Ltd", email: "office@shapla.example" })
    const { body } = await admin.post(`/merchants/${merchant.id}`, { verification_status: "approved", email: "" })
    expect(body.merchant).toMatchObject({ name: "Shapla Ltd", email: null, verification_status: "approved" })
    expect((await admin.changes(merchant.id))[0].changes).toEqual({
      email: { from: "office@shapla.example", to: null },
      verification_status: { from: "unverified", to: "approved" },
    })
    expect(await admin.post(`/merchants/${merchant.id}`, { email: "no address" })).toMatchObject({
      status: 422,
      body: { code: "INVALID_EMAIL", field: "email" },
    })
    expect(await admin.post(`/merchants/${merchant.id}`, { status: "gone" })).toMatchObject({
      status: 422,
      body: { field: "status" },
    })
    expect(await admin.post("/merchants/mer_nobody", { name: "x" })).toMatchObject({ status: 404 })
    expect((await admin.post("/merchants", { name: "A second business" })).body.merchant).toMatchObject({
      name: "A second business",
      status: "active",
    })
  })

  it("docs/decisions/0057 — how shoppers see the merchant is changed, with its trace, and every limit is named", async () => {
    const shown = {
      legal_name: "Shapla Crafts Limited",
      address: "House 12, Road 5\nDhaka 1205",
      bin: "001234567-0101",
      support_email: "help@shapla.example",
      support_phone: "+880 1712-345678",
      support_url: "https://shapla.example/help",
      brand_color: "#0B3D91",
    }
    const path = `/merchants/${merchant.id}`
    expect((await admin.post(`${path}/profile`, shown)).body).toEqual({
      profile: { ...shown, brand_color: "#0b3d91", logo_url: null },
    })
    expect((await admin.changes(merchant.id))[0].changes).toMatchObject({
      bin: { from: null, to: "001234567-0101" },
      address: { from: null, to: shown.address },
    })
    await admin.post(`${path}/profile`, { bin: "" })
    expect((await admin.get(path)).body.merchant.profile).toMatchObject({ bin: null, legal_name: shown.legal_name })
    const wrong: [Record<string, unknown>, string][] = [
      [{ legal_name: "x".repeat(201) }, "legal_name must be at most 200 characters long"],
      [{ address: "1\n2\n3\n4\n5\n6" }, "address must have at most 5 lines"],
      [{ bin: "12" }, "bin must be a BIN of 9 or 13 digits, like 001234567-0101"],
      [{ support_email: "nobody" }, "support_email must be a valid e-mail address"],
      [{ support_phone: "call us" }, "support_phone must be 3 to 25 digits, spaces, brackets, + or -"],
      [{ support_url: "javascript:alert(1)" }, "support_url must be an absolute https URL"],
      [{ brand_color: "red" }, "brand_color must be a colour like #00634a"],
    ]
    for (const [change, message] of wrong) {
      const answer = await admin.post(`${path}/profile`, change)
      expect([answer.status, answer.body.field, answer.body.message]).toEqual([422, Object.keys(change)[0], message])
    }
    expect((await admin.post("/merchants/mer_nobody/profile", {})).status).toBe(404)
  })

  it("docs/decisions/0057 — a logo is known by its content, has an address for ever, and is on the payment page", async () => {
    const path = `/merchants/${merchant.id}/logo`
    const refused = async (content: Buffer) => {
      const { status, body } = await admin.post(path, { content: content.toString("base64") })
      return [status, body.field, body.message]
    }
    expect(
      await refused(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"))
    ).toEqual([422, "logo", "logo must be a PNG (8 bits, not interlaced), JPEG or WebP image"])
    expect(await refused(Buffer.alloc(262_145))).toEqual([422, "logo", "logo must be at most 256 kB large"])
    const set = await admin.post(path, { content: LOGO })
    const { logo_url } = (set.body as unknown as { profile: { logo_url: string } }).profile
    expect(logo_url).toMatch(/^\/pay\/logo\/[0-9a-f]{64}\.png$/)
    const file = await fetch(`${store.url}${logo_url}`)
    expect([
      file.status,
      ...["content-type", "cache-control", "x-content-type-options"].map((name) => file.headers.get(name)),
    ]).toEqual([200, "image/png", "public, max-age=31536000, immutable", "nosniff"])
    expect(Buffer.from(await file.arrayBuffer()).toString("base64")).toBe(LOGO)
    await admin.post(`/merchants/${merchant.id}/profile`, {
      brand_color: "#ffd400",
      support_email: "help@shapla.example",
    })
    const { session_id } = await merchant.open()
    const page = await (await fetch(`${store.url}/pay/${session_id}`)).text()
    expect(page).toContain(`<img class="logo" src="${logo_url}"`)
    expect(page).toContain("help@shapla.example")
    const [styles] = /\/pay\/assets\/brand-ffd400\.[0-9a-f]{16}\.css/.exec(page) ?? []
    const css = await fetch(`${store.url}${styles}`)
    expect([css.status, css.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"])
    await admin.delete(path)
    expect(await (await fetch(`${store.url}/pay/${session_id}`)).text()).not.toContain("/pay/logo/")
    expect((await fetch(`${store.url}${logo_url}`)).status).toBe(200)
    expect((await fetch(`${store.url}/pay/logo/${"0".repeat(64)}.png`)).status).toBe(404)
  })

  it("services, addresses, callback defaults and the rate limit are changed and taken away", async () => {
    const set = {
      services: ["refunds"],
      ip_allow_list: ["203.0.113.7"],
      success_url: "https://shop.example.com/ok",
      rate_limit_requests: 100,
    }
    expect((await admin.post("/settings", set)).body.settings).toMatchObject({
      ...set,
      ip_allow_list: ["203.0.113.7/32"],
    })
    expect((await admin.post("/settings", { success_url: "", rate_limit_requests: null })).body.settings).toMatchObject(
      {
        services: ["refunds"],
        success_url: null,
        rate_limit_requests: null,
        rate_limit_default: 0,
      }
    )
    expect(
      (await admin.changes(merchant.id))
        .filter(({ action }) => action === "settings.updated")
        .map(({ changes }) => Object.keys(changes).sort())
    ).toEqual([
      ["rate_limit_requests", "success_url"],
      ["ip_allow_list", "rate_limit_requests", "services", "success_url"],
    ])
  })

  it("decisions: Plans — retries, what follows the last one, and the rules of refunds are changed, and the deployment's own come back", async () => {
    const set = {
      retry_days: [2, 4],
      after_last_retry: "past_due",
      refund_approval_threshold: "100.00",
      may_overdraw: true,
      returns_automatic: true,
      returns_refund_shipping: true,
    }
    expect((await admin.post("/settings", set)).body.settings).toMatchObject({
      ...set,
      retry_days_default: [1, 3, 5, 7],
      after_last_retry_default: "cancel",
    })
    const back = { retry_days: null, after_last_retry: null, refund_approval_threshold: null }
    expect((await admin.post("/settings", back)).body.settings).toMatchObject(back)
    const [, first] = await admin.changes(merchant.id)
    expect(first.changes).toMatchObject({
      retry_days: { from: null, to: [2, 4] },
      after_last_retry: { from: null, to: "past_due" },
      may_overdraw: { from: false, to: true },
    })
  })

  it.each([
    [{ services: ["banking"] }, 422, "services[0]"],
    [{ retry_days: [1, 1] }, 422, "retry_days"],
    [{ retry_days: [0] }, 422, "retry_days[0]"],
    [{ after_last_retry: "forget" }, 422, "after_last_retry"],
    [{ ip_allow_list: ["everywhere"] }, 422, "ip_allow_list"],
    [{ fail_url: "shop" }, 400, "fail_url"],
    [{ rate_limit_requests: -1 }, 422, "rate_limit_requests"],
    [{ rate_limit_requests: 1.5 }, 422, "rate_limit_requests"],
    [{ hold_risky: "yes" }, 422, "hold_risky"],
    [{ shop_modules: 1 }, 422, "shop_modules"],
    [{ payment_attempts: 0 }, 422, "payment_attempts"],
    [{ payment_attempts: 6 }, 422, "payment_attempts"],
    [{ payment_attempts: 2.5 }, 422, "payment_attempts"],
    [{ payment_attempts: null }, 422, "payment_attempts"],
    [{ payment_attempts: "3" }, 422, "payment_attempts"],
  ])("%j: %i naming %s", async (body, status, field) => {
    expect(await admin.post("/settings", body)).toMatchObject({ status, body: { field } })
  })

  it("decisions: Compatible with shop modules — off at first, and switched with its trace", async () => {
    const own = await newMerchant(store)
    const at = admin.at(own.id)
    expect((await at.get("/settings")).body.settings).toMatchObject({ shop_modules: false })
    expect((await at.post("/settings", { shop_modules: true })).body.settings).toMatchObject({ shop_modules: true })
    const order_id = orderId()
    expect((await own.open({ order_id })).session_id).toBe((await own.open({ order_id })).session_id)
    expect((await at.changes(own.id)).map(({ changes }) => changes)).toContainEqual({
      shop_modules: { from: false, to: true },
    })
  })

  it("docs/decisions/0056 — receipts are off at first, and switched with their trace", async () => {
    expect((await admin.get("/settings")).body.settings).toMatchObject({ receipts: false })
    expect((await admin.post("/settings", { receipts: true })).body.settings).toMatchObject({ receipts: true })
    expect((await admin.changes(merchant.id))[0]).toMatchObject({
      action: "settings.updated",
      changes: { receipts: { from: false, to: true } },
    })
    expect(await admin.post("/settings", { receipts: "yes" })).toMatchObject({
      status: 422,
      body: { field: "receipts" },
    })
  })

  it("docs/decisions/0056 — the receipts of a payment and of its refund are sent again and downloaded", async () => {
    const { transaction_id, session_id } = await merchant.open()
    expect(await admin.post(`/payments/${transaction_id}/receipt`)).toMatchObject({ status: 409 })
    await merchant.pay(session_id)
    const { refund_id } = (
      await merchant.call("POST", "/payments/refund", {
        transaction_id,
        refund_reason: "Broken",
        refund_amount: "100.00",
      })
    ).body.data as unknown as { refund_id: string }
    const headers_of = async (path: string) => {
      const url = `${store.url}/admin/gateway${path}?merchant_id=${merchant.id}&environment=sandbox&lang=bn`
      const file = await fetch(url, { headers })
      const start = Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString()
      return [file.status, file.headers.get("content-type"), file.headers.get("content-disposition"), start]
    }
    for (const [path, kind] of [
      [`/payments/${transaction_id}`, "receipt"],
      [`/refunds/${refund_id}`, "refund"],
    ]) {
      expect((await admin.post(`${path}/receipt`)).body).toMatchObject({ receipts: [{ step: 0 }] })
      const what = path.startsWith("/refunds") ? "refund" : "payment"
      const page = (await admin.get(path)).body as unknown as Record<string, { receipts: unknown[] }>
      expect(page[what].receipts).toHaveLength(1)
      expect(await headers_of(`${path}/receipt`)).toEqual([
        200,
        "application/pdf",
        expect.stringMatching(new RegExp(`^attachment; filename="${kind}-T-[0-9a-f]+\\.pdf"$`)),
        "%PDF-",
      ])
      expect((await admin.at((await newMerchant(store)).id).post(`${path}/receipt`)).status).toBe(404)
    }
    expect((await admin.changes(refund_id))[0]).toMatchObject({
      action: "refund.receipt_sent_again",
      actor: { type: "user" },
      changes: { to: { to: CUSTOMER.email } },
    })
  })

  it("decisions: Checkout — how often a shopper may try: 3, and from then on what is set, with its trace", async () => {
    const own = await newMerchant(store)
    const at = admin.at(own.id)
    expect((await at.get("/settings")).body.settings).toMatchObject({ payment_attempts: 3 })
    expect((await at.post("/settings", { payment_attempts: 1 })).body.settings).toMatchObject({ payment_attempts: 1 })
    expect((await at.post("/settings", { rate_limit_requests: 5 })).body.settings).toMatchObject({
      payment_attempts: 1,
    })
    expect((await at.changes(own.id)).map(({ changes }) => changes)).toContainEqual({
      payment_attempts: { from: 3, to: 1 },
    })
    const { session_id } = await own.open({ order_amount: "300.00" })
    const declined = await own.pay(session_id, { payment_method: "card", final: false })
    expect(declined.body.data.status).toBe("FAILED")
    expect((await admin.at(own.id, "production").get("/settings")).body.settings).toMatchObject({ payment_attempts: 3 })
  })

  it("decisions: Checkout — fees by payment service hold for payments from now on", async () => {
    const { session_id, transaction_id } = await merchant.open({ order_amount: "1000.00" })
    expect(
      (await admin.post("/payment-services/1", { fee_percent: "2.75", fee_fixed: "3.00" })).body.payment_service
    ).toMatchObject({
      code: "CARD",
      fee_percent: "2.75",
      fee_fixed: "3.00",
    })
    await merchant.pay(session_id)
    expect((await merchant.verified(transaction_id)).charge_amount).toBe("30.5000")
    expect((await admin.changes("CARD"))[0].changes).toEqual({
      fee_basis_points: { from: 250, to: 275 },
      fee_fixed_minor: { from: 0, to: 300 },
    })
    for (const bad of [{ fee_percent: "100.01" }, { fee_percent: "-1" }, { fee_percent: "2.505" }]) {
      expect([bad, await admin.post("/payment-services/1", bad)]).toMatchObject([
        bad,
        { status: 422, body: { field: "fee_percent" } },
      ])
    }
    expect((await admin.get("/payment-services")).body.payment_services).toHaveLength(7)
  })
})

describe("paid carts — the trace an admin can read", () => {
  async function paidCart(state: string, at = new Date()): Promise<string> {
    const { session_id, transaction_id } = await merchant.open()
    await store.db("gateway_cart_completion").insert({
      id: `gcc_${transaction_id.slice(3)}`,
      transaction_id,
      session_id,
      merchant_id: merchant.id,
      environment: "sandbox",
      cart_id: "cart_of_the_test",
      payment_session_id: "payses_of_the_test",
      state,
      order_id: state === "ordered" ? `order_${transaction_id.slice(3, 29).toUpperCase()}` : null,
      history: JSON.stringify([
        { at, kind: "cart.paid" },
        ...(state === "waiting" ? [] : [{ at, kind: "cart.ordered", params: { order_id: "order_1" } }]),
      ]),
    })
    return transaction_id
  }

  it("lists newest first, by state, by page, and says how many there are", async () => {
    const [first, second] = [await paidCart("needs_attention"), await paidCart("ordered")]
    const found = async (query: string) =>
      (await admin.get(`/paid-carts?${query}`)).body.paid_carts.map(({ transaction_id }) => transaction_id)
    expect(await found("")).toEqual([second, first])
    expect(await found("state=open")).toEqual([first])
    expect(await found("state=ordered")).toEqual([second])
    expect(await found("limit=1&offset=1")).toEqual([first])
    expect(await found(`q=${first}`)).toEqual([first])
    expect((await admin.get("/paid-carts")).body).toMatchObject({
      count: 2,
      paid_carts: [
        {
          history: [
            { kind: "cart.paid", message: "Cart paid: its order is on the way" },
            { kind: "cart.ordered", params: { order_id: "order_1" }, message: "The cart became order order_1" },
          ],
        },
        {},
      ],
    })
    expect(await admin.get("/paid-carts?state=nope")).toMatchObject({ status: 422, body: { field: "state" } })
  })

  it("with a clock that is ahead, a cart's history is on the merchant's clock, as its payment is", async () => {
    await clockTo(merchant, "2028-05-01T00:00:00Z")
    const transaction_id = await paidCart("waiting", new Date("2028-05-01T00:00:01Z"))
    await gatewayOf(store).cartCompletions.failed(transaction_id, said("out of stock"))
    const noOrder = {
      kind: "cart.no_order",
      params: { why: { kind: "said", params: { text: "out of stock" } } },
      message: "No order yet: out of stock",
    }
    const { timeline } = (await admin.get(`/payments/${transaction_id}`)).body.payment
    expect(timeline.map(({ type }) => type)).toEqual(["session_opened", "cart"])
    expect(timeline[1]).toMatchObject({ ...noOrder, at: expect.stringContaining("2028-05-01T00:") })
    const [{ id, created_at, history }] = (await admin.get("/paid-carts")).body.paid_carts
    expect([created_at, history[1]]).toEqual([
      expect.stringContaining("2028-05-01T00:"),
      expect.objectContaining(noOrder),
    ])
    expect(ids((await admin.get("/paid-carts?from=2028-05-01T00:00:00Z")).body.paid_carts)).toEqual([id])
    expect(ids((await admin.get("/paid-carts?to=2028-05-01T00:00:00Z")).body.paid_carts)).toEqual([])
  })

  it("an order of the store leads to its payments, and a payment to its order", async () => {
    const transaction_id = await paidCart("ordered")
    const order_id = `order_${transaction_id.slice(3, 29).toUpperCase()}`
    expect(ids((await admin.get(`/payments?q=${order_id}`)).body.payments)).toEqual([transaction_id])
    const { payments, count } = (await admin.at(null).get(`/orders/${order_id}/payments`)).body
    expect([count, ids(payments)]).toEqual([1, [transaction_id]])
    expect(payments[0]).toMatchObject({ merchant_id: merchant.id, environment: "sandbox", cart: { order_id } })
    expect((await admin.at(null).get("/orders/order_of_nobody/payments")).body).toMatchObject({
      payments: [],
      count: 0,
    })
  })
})

describe("plans", () => {
  const names = async (query: string) =>
    (await admin.get(`/plans?${query}`)).body.plans.map(({ plan_name }) => plan_name)

  it("are made, changed, archived and restored here and by key; the audit log says who, from what to what", async () => {
    const { plan } = (await admin.post("/plans", { ...PLAN, trial_period_days: 7, trial_amount: "50" })).body
    expect(plan).toMatchObject({
      ...PLAN,
      is_active: true,
      trial_period_days: 7,
      trial_amount: "50.00",
      plan_description: null,
    })
    const changed = await admin.post(`/plans/${plan.id}`, {
      amount: "650.00",
      trial_period_days: null,
      trial_amount: "",
    })
    expect(changed.body.plan).toMatchObject({ amount: "650.00", trial_period_days: null, trial_amount: null })
    expect(await admin.post(`/plans/${plan.id}`, { interval_unit: "YEAR" })).toMatchObject({
      status: 422,
      body: { field: "interval_unit" },
    })
    await merchant.call("DELETE", `${PLANS}/${plan.number}`)
    await admin.post(`/plans/${plan.number}/archive`)
    expect((await admin.post(`/plans/${plan.id}/restore`)).body.plan.is_active).toBe(true)
    await merchant.call("PATCH", `${PLANS}/${plan.number}`, { plan_name: "Tea circle" })
    const changes = await admin.changes(plan.id)
    expect(changes.map(({ action, actor }) => `${action} ${actor.type}`)).toEqual([
      "plan.updated merchant_key",
      "plan.restored user",
      "plan.archived merchant_key",
      "plan.updated user",
      "plan.created user",
    ])
    expect(changes[0].changes).toEqual({ plan_name: { from: "Tea club", to: "Tea circle" } })
    expect(changes[3].changes).toEqual({
      amount_minor: { from: 50_000, to: 65_000 },
      trial_period_days: { from: 7, to: null },
      trial_amount_minor: { from: 5_000, to: null },
    })
  })

  it("are found by the beginning of their name, by id, state, interval and date, and sorted by amount", async () => {
    await admin.post("/plans", { ...PLAN, plan_name: "Alpha", amount: "900" })
    const { plan } = (
      await admin.post("/plans", { ...PLAN, plan_name: "Beta 50%", amount: "100", interval_unit: "YEAR" })
    ).body
    await admin.post("/plans", { ...PLAN, plan_name: "Gamma", amount: "300", interval_unit: "WEEK" })
    await admin.post(`/plans/${plan.id}/archive`)
    expect(await names("")).toEqual(["Gamma", "Beta 50%", "Alpha"])
    expect(await names("q=bETA%2050%25")).toEqual(["Beta 50%"])
    expect(await names(`q=${plan.number}`)).toEqual(["Beta 50%"])
    expect(await names(`q=${plan.id}`)).toEqual(["Beta 50%"])
    expect(await names("status=archived")).toEqual(["Beta 50%"])
    expect(await names("status=active&order=created_at")).toEqual(["Alpha", "Gamma"])
    expect(await names("interval=YEAR,WEEK&order=amount")).toEqual(["Beta 50%", "Gamma"])
    expect(await names("order=-amount&limit=1&offset=1")).toEqual(["Gamma"])
    expect(await names("from=2099-01-01T00:00:00Z")).toEqual([])
    expect((await admin.get("/plans?limit=1")).body).toMatchObject({
      count: 3,
      count_is_exact: true,
      limit: 1,
      offset: 0,
    })
    expect(await admin.get("/plans?interval=CENTURY")).toMatchObject({ status: 422, body: { field: "interval[0]" } })
  })
})

describe("subscriptions", () => {
  async function subscribed(changes: Record<string, unknown> = {}) {
    const { subscription } = (
      await admin.post("/subscriptions", {
        customer: someone(),
        amount: "500.00",
        interval_count: 1,
        interval_unit: "MONTH",
        ...changes,
      })
    ).body
    return { subscription, subscriber: new Subscriber(merchant, subscription.id) }
  }
  const kept = async ({ uuid }: Subscriber) => {
    const subscription = store.db("gateway_subscription").where({ uuid }).select("instrument_id")
    return store.db("gateway_instrument").whereIn("id", subscription).first()
  }
  /** How the kept card behaves from now on. */
  async function cardSays(subscriber: Subscriber, outcome: string): Promise<void> {
    await bankSays(store, [await kept(subscriber)], outcome)
  }
  async function pastDue(): Promise<Subscriber> {
    await clockTo(merchant, "2028-01-31T00:00:00Z")
    const { subscriber } = await subscribed()
    await subscriber.pay()
    await cardSays(subscriber, "CARD_DECLINED")
    await clockTo(merchant, "2028-02-29T12:00:00Z")
    expect(await subscriber.get()).toMatchObject({ status: "PAST_DUE", failed_payment_count: 1 })
    return subscriber
  }

  it("are made, paused, resumed, changed and cancelled here; the page shows it, and the audit log who did it", async () => {
    const { plan } = (await admin.post("/plans", PLAN)).body
    const customer = someone()
    const { subscription, subscriber } = await subscribed({ subscription_plan_id: plan.number, customer })
    expect(subscription).toMatchObject({
      status: "PENDING",
      plan: { number: plan.number, plan_name: "Tea club" },
      customer: { email: customer.email },
      source: "api",
    })
    await subscriber.pay()
    expect((await admin.post(`/subscriptions/${subscription.id}/pause`)).body.subscription.status).toBe("PAUSED")
    expect(await admin.post(`/subscriptions/${subscription.id}/pause`)).toMatchObject({
      status: 409,
      body: { type: "conflict", code: "INVALID_STATE_TRANSITION" },
    })
    await subscriber.call("POST", "/resume")
    expect((await admin.post(`/subscriptions/${subscription.id}`, { amount: "600.00" })).body.subscription.amount).toBe(
      "600.00"
    )
    const cancelled = await admin.post(`/subscriptions/${subscription.number}/cancel`, {
      cancel_at_period_end: true,
      cancellation_reason: "moved away",
    })
    expect(cancelled.body.subscription).toMatchObject({ status: "CANCELLED", cancel_at_period_end: true })
    const page = (await admin.get(`/subscriptions/${subscription.id}`)).body.subscription
    expect(page).toMatchObject({
      status: "CANCELLED",
      cancellation_reason: "moved away",
      payment_under_way: false,
      billing_cycle_count: 1,
      instrument: { method: "card", last_four: "4242" },
    })
    expect(JSON.stringify(page)).not.toContain((await kept(subscriber)).token)
    expect((page.events as { event_type: string }[]).map(({ event_type }) => event_type)[0]).toBe(
      "subscription.cancelled"
    )
    const history = (await admin.get(`/subscriptions/${subscription.id}/billing-history`)).body
    expect(history).toMatchObject({ count: 1, billing_records: [{ period: 1, status: "SUCCESS", amount: "500.00" }] })
    const changes = await admin.changes(subscription.id)
    expect(changes.map(({ action, actor }) => `${action} ${actor.type}`)).toEqual([
      "subscription.cancelled user",
      "subscription.updated user",
      "subscription.resumed merchant_key",
      "subscription.paused user",
      "subscription.created user",
    ])
    expect(changes[1].changes).toEqual({ amount_minor: { from: 50_000, to: 60_000 } })
    expect(changes[0].changes).toMatchObject({
      status: { from: "ACTIVE", to: "CANCELLED" },
      cancellation_reason: { from: null, to: "moved away" },
    })
  })

  it("are found by the beginning of the customer's e-mail address, by id, status, plan and date", async () => {
    const { plan } = (await admin.post("/plans", PLAN)).body
    const first = await subscribed({
      subscription_plan_id: plan.number,
      customer: { name: "Nasrin", email: "Nasrin@example.com" },
    })
    const second = await subscribed({ customer: { name: "Babul", email: "babul@example.com" } })
    const found = async (query: string) => ids((await admin.get(`/subscriptions?${query}`)).body.subscriptions)
    expect(await found("")).toEqual([second.subscription.id, first.subscription.id])
    expect(await found("order=created_at")).toEqual([first.subscription.id, second.subscription.id])
    expect(await found("q=nasRIN@ex")).toEqual([first.subscription.id])
    expect(await found(`q=${second.subscription.number}`)).toEqual([second.subscription.id])
    expect(await found(`q=${second.subscription.id}`)).toEqual([second.subscription.id])
    expect(await found("status=ACTIVE,PAUSED")).toEqual([])
    expect(await found(`plan_id=${plan.id}`)).toEqual([first.subscription.id])
    expect(await found("plan_id=nothing")).toEqual([])
    expect(await found("from=2001-01-01T00:00:00Z&status=PENDING&limit=1")).toEqual([second.subscription.id])
    expect(await found("to=2001-01-01T00:00:00Z")).toEqual([])
  })

  it("while the merchant may not take payments, its past due payments are not tried again", async () => {
    const subscriber = await pastDue()
    const retry = async () => {
      const { status, body } = await admin.post(`/subscriptions/${subscriber.uuid}/retry`, { attempts: 1 })
      return [status, body.code]
    }
    await gatewayOf(store).merchants.update(merchant.id, { status: "suspended" })
    expect(await retry()).toEqual([403, "MERCHANT_SUSPENDED"])
    await gatewayOf(store).merchants.update(merchant.id, { status: "active" })
    await gatewayOf(store).merchants.configure(
      { merchant_id: merchant.id, environment: "sandbox" },
      { services: ["checkout"] }
    )
    expect(await retry()).toEqual([403, "SERVICE_NOT_ENABLED"])
    await gatewayOf(store).merchants.configure(
      { merchant_id: merchant.id, environment: "sandbox" },
      { services: ["subscriptions"] }
    )
    expect((await admin.get(`/subscriptions/${subscriber.uuid}`)).body.subscription).toMatchObject({
      attempts: 1,
      status: "PAST_DUE",
    })
    expect(await retry()).toEqual([200, undefined])
  })

  it("a past due payment is tried again: a decline leaves the schedule of retries as it was", async () => {
    const subscriber = await pastDue()
    const before = (await admin.get(`/subscriptions/${subscriber.uuid}`)).body.subscription
    expect(before).toMatchObject({
      attempts: 1,
      error_code: "CARD_DECLINED",
      amount_due: "500.00",
      retry_at: expect.stringMatching(/^2028-03-01T00:00/),
    })
    const declined = await admin.post(`/subscriptions/${subscriber.uuid}/retry`, { attempts: 1 })
    expect(declined.body).toMatchObject({
      outcome: "declined",
      error_code: "CARD_DECLINED",
      subscription: { status: "PAST_DUE", failed_payment_count: 1 },
    })
    const after = (await admin.get(`/subscriptions/${subscriber.uuid}`)).body.subscription
    expect(after).toMatchObject({ attempts: 2, retry_at: before.retry_at, payment_under_way: false })
    const stale = await admin.post(`/subscriptions/${subscriber.uuid}/retry`, { attempts: 1 })
    expect([stale.status, stale.body.code, stale.body.message]).toEqual([
      409,
      "INVALID_STATE_TRANSITION",
      expect.stringContaining("tried 2 times by now, not 1"),
    ])
    expect(await admin.post(`/subscriptions/${subscriber.uuid}/retry`)).toMatchObject({
      status: 422,
      body: { field: "attempts" },
    })
    expect((await subscriber.events()).slice(-2)).toEqual(["payment_failed", "payment_failed"])
    await clockTo(merchant, "2028-03-01T00:10:00Z")
    expect(await subscriber.get()).toMatchObject({ status: "PAST_DUE", failed_payment_count: 2 })
    expect((await admin.changes(subscriber.uuid))[0]).toMatchObject({
      action: "subscription.payment_retried",
      actor: { name: ADMIN.email },
      changes: { amount_minor: { from: null, to: 50_000 }, attempt: { from: null, to: 2 } },
    })
  })

  it("clicked many times at once, beside the worker and a customer who pays: charged once", async () => {
    const subscriber = await pastDue()
    await cardSays(subscriber, "SUCCESS")
    const clicks = Array.from({ length: 5 }, () =>
      admin.post(`/subscriptions/${subscriber.uuid}/retry`, { attempts: 1 })
    )
    const [answers] = await Promise.all([
      Promise.all(clicks),
      gatewayOf(store).billing.run(50),
      clockTo(merchant, "2028-03-01T00:10:00Z"),
    ])
    const paid = answers.filter(({ status }) => status === 200)
    expect(paid.map(({ body }) => body.outcome)).toEqual(Array.from(paid, () => "paid"))
    expect(paid.length).toBeLessThanOrEqual(1)
    expect(
      answers.filter(({ status, body }) => status === 409 && body.code === "INVALID_STATE_TRANSITION")
    ).toHaveLength(5 - paid.length)
    expect(await subscriber.get()).toMatchObject({ status: "ACTIVE", billing_cycle_count: 2, failed_payment_count: 0 })
    expect(await subscriber.charges()).toHaveLength(2)
    expect((await admin.post(`/subscriptions/${subscriber.uuid}/retry`, { attempts: 1 })).body.message).toContain(
      "subscription is ACTIVE"
    )
  })

  it("what an admin's retry began when its process died, a worker ends, with the same charge", async () => {
    const subscriber = await pastDue()
    await cardSays(subscriber, "SUCCESS")
    const due = new Date("2028-02-29T12:00:00Z")
    const lease = { lock_token: "a-process-that-died", locked_until: new Date(Date.now() - 1_000), due_at: due }
    await store.db("gateway_subscription").where({ uuid: subscriber.uuid }).update(lease)
    while (
      (await gatewayOf(store).billing.run(50, { merchant_id: merchant.id, until: new Date(due.getTime() + 60_000) })) >
      0
    );
    expect(await subscriber.get()).toMatchObject({ status: "ACTIVE", billing_cycle_count: 2 })
    expect(await subscriber.charges()).toHaveLength(2)
  })
})

describe("invoices", () => {
  async function invoiced() {
    const subscriber = await Subscriber.create(merchant, {
      customer: { name: "Shirin", email: `shirin-${merchant.id.slice(-6)}@example.com` },
    })
    const { invoice } = (await admin.post("/invoices", { subscription_id: subscriber.uuid })).body
    return { subscriber, invoice }
  }

  it("are generated once a period, listed, downloaded as PDF and voided, and the audit log says so", async () => {
    const { subscriber, invoice } = await invoiced()
    expect(invoice).toMatchObject({
      invoice_id: "INV-000001",
      status: "PENDING",
      amount: "500.00",
      subscription: { id: subscriber.uuid },
      payment_url: expect.stringMatching(new RegExp(`^${store.url}/pay/invoice/`)),
    })
    expect((await admin.post("/invoices", { subscription_id: subscriber.uuid })).body.invoice.id).toBe(invoice.id)
    const found = async (query: string) => ids((await admin.get(`/invoices?${query}`)).body.invoices)
    for (const query of [
      "",
      "q=inv-000001",
      "q=shirin-",
      `q=${invoice.id}`,
      "status=PENDING",
      `subscription_id=${subscriber.uuid}`,
      "from=2001-01-01T00:00:00Z",
    ]) {
      expect([query, await found(query)]).toEqual([query, [invoice.id]])
    }
    for (const query of [
      "q=INV-000002",
      "q=karim",
      "status=PAID,VOID",
      "subscription_id=x",
      "to=2001-01-01T00:00:00Z",
    ]) {
      expect([query, await found(query)]).toEqual([query, []])
    }
    const pdf = await admin.get(`/invoices/${invoice.id}/pdf?lang=bn`)
    expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, "%PDF-"])
    expect((await admin.post("/invoices/INV-000001/void")).body.invoice).toMatchObject({ status: "VOID" })
    expect((await admin.post(`/invoices/${invoice.id}/void`)).status).toBe(409)
    const other = (await merchant.call("POST", `${SUBSCRIPTIONS}/${subscriber.uuid}/generate-invoice`))
      .body as unknown as { uuid: string }
    await merchant.call("POST", `/payments/invoices/${other.uuid}/void`)
    const made = {
      action: "invoice.generated",
      changes: { status: { from: null, to: "PENDING" }, amount_minor: { from: null, to: 50_000 } },
    }
    const voided = { action: "invoice.voided", changes: { status: { from: "PENDING", to: "VOID" } } }
    expect(await admin.changes(invoice.id)).toMatchObject([
      { ...voided, actor: { type: "user" } },
      { ...made, actor: { type: "user" } },
    ])
    expect(await admin.changes(other.uuid)).toMatchObject([
      { ...voided, actor: { type: "merchant_key" } },
      { ...made, actor: { type: "merchant_key" } },
    ])
  })

  it("are sent again by e-mail: once for any number of clicks, and not when there is nothing to pay", async () => {
    const { invoice } = await invoiced()
    const mails = async () =>
      ((await admin.get(`/invoices/${invoice.id}`)).body.invoice.mails as { kind: string; status: string }[]).filter(
        ({ kind }) => kind === "invoice"
      )
    await store
      .db("gateway_invoice_mail")
      .where({ merchant_id: merchant.id, kind: "invoice" })
      .update({ state: "sent", sent_at: new Date() })
    const answers = await Promise.all(Array.from({ length: 4 }, () => admin.post(`/invoices/${invoice.id}/send`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await mails()).length).toBe(2)
    expect((await admin.changes(invoice.id)).map(({ action }) => action)).toEqual([
      "invoice.sent_again",
      "invoice.generated",
    ])
    await admin.post(`/invoices/${invoice.id}/void`)
    expect(await admin.post(`/invoices/${invoice.id}/send`)).toMatchObject({
      status: 409,
      body: { code: "INVALID_STATE_TRANSITION" },
    })
  })
})

describe("decisions: Origins — whatever was changed above", () => {
  it("every entry of an admin or a key says where it came from, and every other says that no request did", async () => {
    const entries = await store.db("gateway_audit_entry").select("action", "actor_type", "address", "request_id")
    const byPeople = entries.filter(({ actor_type }) => actor_type !== "system")
    expect(new Set(byPeople.map(({ action }) => action.split(".")[0])).size).toBeGreaterThan(8)
    expect(byPeople.filter(({ address }) => address === null)).toEqual([])
    expect(entries.filter(({ actor_type, address }) => actor_type === "system" && address !== null)).toEqual([])
  })
})

describe("docs/decisions/0054 — lists as CSV", () => {
  const MANY = 20_000
  type Reader = { read: (window: Window) => Promise<Page<object>>; path: string; name: keyof AdminBody }

  const exported = (path: string, language = "en", by = headers) => {
    const url = new URL(`/admin/gateway${path}`, store.url)
    url.searchParams.set("format", "csv")
    url.searchParams.set("merchant_id", admin.merchant_id ?? "")
    url.searchParams.set("environment", admin.environment)
    return fetch(url, { headers: { ...by, "Accept-Language": language } })
  }
  const recordsOf = async (response: Response) => parseCsv(await response.text()).map(({ cells }) => cells)

  /** Payments that nobody has paid, as many as are wanted, with a customer's name of this length. */
  async function copies(count: number, length: number, currency = "BDT"): Promise<void> {
    const { session_id, transaction_id } = await merchant.open({ order_amount: "12.34" })
    await store.db.raw(
      `INSERT INTO gateway_checkout_session
       SELECT (jsonb_populate_record(s, jsonb_build_object('id', 'ses_' || md5(s.id || n), 'order_id', ? || n, 'currency', ?::text,
         'customer', s.customer || jsonb_build_object('name', repeat('x', ?::int))))).*
       FROM gateway_checkout_session s, generate_series(1, ?::int) n WHERE s.id = ?`,
      [`${currency}-`, currency, length, count, session_id]
    )
    // Three at a time have the same time, and the next ones are a microsecond later.
    await store.db.raw(
      `INSERT INTO gateway_transaction
       SELECT (jsonb_populate_record(t, jsonb_build_object('id', 'txn' || md5(t.id || n), 'order_id', ? || n, 'currency', ?::text,
         'session_id', 'ses_' || md5(t.session_id || n), 'created_at', t.created_at + (n / 3) * interval '1 microsecond'))).*
       FROM gateway_transaction t, generate_series(1, ?::int) n WHERE t.id = ?`,
      [`${currency}-`, currency, count, transaction_id]
    )
  }

  it("has every row of a list of any length, once and in its order, with a name that has the day", async () => {
    // PostgreSQL's statistics know nothing of these payments, as of a merchant's who is new among large ones.
    await copies(MANY, 1)
    const response = await exported("/payments")
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="payments-sandbox-\d{4}-\d{2}-\d{2}\.csv"$/
    )
    const content = Buffer.from(await response.arrayBuffer())
    expect([...content.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [, ...rows] = parseCsv(content.toString("utf8")).map(({ cells }) => cells)
    const listed = await store
      .db("gateway_transaction")
      .where({ merchant_id: merchant.id })
      .orderBy([
        { column: "created_at", order: "desc" },
        { column: "id", order: "desc" },
      ])
      .select("id")
    expect(rows.map(([id]) => id)).toEqual(ids(listed))
    expect(rows).toHaveLength(MANY + 1)
    // docs/decisions/0060: a text that finds more than a list shows still finds the newest first, and all in a file.
    for (const q of ["rahima@exam", "12.34", "01712345678"]) {
      const found = (await admin.get(`/payments?q=${q}`)).body
      expect([q, found.count, found.count_is_exact]).toEqual([q, 10_000, false])
      expect([q, ids(found.payments)]).toEqual([q, ids(listed).slice(0, 20)])
    }
    const [, ...found] = await recordsOf(await exported("/payments?q=BDT-"))
    expect(found).toHaveLength(MANY)
    expect((await admin.get("/payments?q=BDT-19999&order=amount")).body).toMatchObject({ count: 1 })
  })

  it("is read no further ahead than the client takes, and its statement is cancelled when the client leaves", async () => {
    // Forty megabytes: more than the sockets between client and server hold.
    await copies(MANY, 2_000)
    const { hostname, port, pathname, search } = new URL(
      `/admin/gateway/payments?format=csv&merchant_id=${merchant.id}&environment=sandbox`,
      store.url
    )
    const client = request({ hostname, port, path: `${pathname}${search}`, headers })
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      client.on("response", resolve).on("error", reject).end()
    })
    response.pause()
    const held = await store.db.transaction()
    try {
      await held.raw("LOCK TABLE gateway_transaction IN ACCESS EXCLUSIVE MODE")
      response.on("error", () => undefined).resume()
      // Not all had been read: the next page waits for the lock.
      await blocked(store, 1)
      client.destroy()
      await until(async () => (await waitingForLocks(store)) === 0)
    } finally {
      await held.rollback()
    }
    expect((await admin.get("/payments?limit=1")).status).toBe(200)
  })

  it("has the rows of the list's filters, of this merchant and environment alone, and amounts as plain decimals", async () => {
    const { transaction_id } = await merchant.open({ order_amount: "1234.50", order_id: "=cmd|' /C calc'!A0" })
    await merchant.pay((await merchant.open({ order_amount: "77.00" })).session_id)
    await (await newMerchant(store)).open()
    const [head, ...rows] = await recordsOf(await exported("/payments?status=PENDING"))
    const cell = (name: string) => rows[0][head.indexOf(name)]
    expect(rows).toHaveLength(1)
    expect([cell("Id"), cell("Amount"), cell("Currency")]).toEqual([transaction_id, "1234.50", "BDT"])
    // A spreadsheet would run it as a formula.
    expect(cell("Order id")).toBe("'=cmd|' /C calc'!A0")
    admin = admin.at(merchant.id, "production")
    expect(await recordsOf(await exported("/payments"))).toEqual([head])
  })

  it("has its headers in the admin's language; a refusal is JSON, and nobody else gets a file", async () => {
    const [head] = await recordsOf(await exported("/refunds", "bn"))
    expect(head.slice(0, 3)).toEqual(["আইডি", "লেনদেন", "অবস্থা"])
    const refused = await exported("/refunds?status=lost")
    expect([refused.status, refused.headers.get("content-type")]).toEqual([422, expect.stringContaining("json")])
    expect((await exported("/refunds", "en", {})).status).toBe(401)
  })

  it("adds up the amounts of all filtered rows, each currency by itself", async () => {
    await copies(30, 1)
    await copies(7, 1, "USD")
    const { body } = await admin.get("/payments?totals=true&limit=1")
    expect(body).toMatchObject({ count: 39 })
    const zero = { charge_amount: "0.00", refunded_amount: "0.00" }
    // 30 copies and two originals of 12.34.
    expect((body as unknown as { totals: unknown }).totals).toEqual([
      { currency: "BDT", amount: "394.88", ...zero },
      { currency: "USD", amount: "86.38", ...zero },
    ])
    const paid = (await admin.get("/payments?totals=true&status=SUCCESS")).body as unknown as { totals: unknown }
    expect(paid.totals).toEqual([])
    expect((await admin.get("/payments")).body).not.toHaveProperty("totals")
  })

  /** Two of everything that has a list. */
  async function furnish(): Promise<void> {
    for (const number of [1, 2]) {
      await admin.post("/webhooks", { endpoint_url: `${receiver.url}/hook-${number}`, event_types: ["*"] })
      await admin.post("/api-keys", { name: `key ${number}` })
      const { session_id, transaction_id } = await merchant.open({ order_amount: "500.00" })
      await merchant.pay(session_id)
      await admin.post("/refunds", { transaction_id, refund_amount: "1.00", refund_reason: "Broken" })
      await admin.post("/payouts", { amount: "1.00", reference: `bank ${number}` })
      const { plan } = (await admin.post("/plans", { ...PLAN, plan_name: `Plan ${number}` })).body
      const subscriber = await Subscriber.create(merchant, { subscription_plan_id: plan.number, customer: someone() })
      await subscriber.call("POST", "/generate-invoice")
      await addEmi(store, merchant.id, { bank_name: `Bank ${number}` })
    }
    // The log of requests is written every second, in their order: this is the last one.
    const last = ({ path }: Row) => String(path).endsWith("/generate-invoice")
    await until(async () => (await admin.get("/requests?limit=100")).body.requests.filter(last).length === 2)
  }

  function readers(): Reader[] {
    const gateway = gatewayOf(store)
    const tenant = { merchant_id: merchant.id, environment: "sandbox" as const, now: new Date() }
    const order = { by: "created_at" as const, descending: true }
    const by = { order }
    return [
      { path: "/payments", name: "payments", read: (window) => gateway.paymentList.list(tenant, by, window) },
      {
        path: "/payments?order=amount",
        name: "payments",
        read: (window) => gateway.paymentList.list(tenant, { order: { by: "amount", descending: false } }, window),
      },
      { path: "/refunds", name: "refunds", read: (window) => gateway.refundLists.window(tenant, order, window) },
      { path: "/plans", name: "plans", read: (window) => gateway.planList.list(tenant, by, window) },
      {
        path: "/subscriptions",
        name: "subscriptions",
        read: (window) => gateway.subscriptionList.list(tenant, by, window),
      },
      { path: "/invoices", name: "invoices", read: (window) => gateway.invoiceList.list(tenant, by, window) },
      { path: "/payouts", name: "payouts", read: (window) => gateway.payouts.window(tenant, order, window) },
      {
        path: "/ledger/entries",
        name: "entries",
        read: (window) => gateway.ledger.window(tenant, { ...order, account: "merchant_balance" }, window),
      },
      { path: "/audit", name: "audit_entries", read: (window) => gateway.auditLog.list(tenant, by, window) },
      { path: "/api-keys", name: "api_keys", read: (window) => gateway.apiKeys.page(tenant, by, window) },
      { path: "/events", name: "events", read: (window) => gateway.webhookLog.events(tenant, by, window) },
      { path: "/deliveries", name: "deliveries", read: (window) => gateway.webhookLog.deliveries(tenant, by, window) },
      { path: "/requests", name: "requests", read: (window) => gateway.requestLog.list(tenant, by, window) },
      {
        path: "/emi?order=bank",
        name: "emi_configurations",
        read: (window) =>
          gateway.emiConfigurations.list(tenant, {
            ...window,
            archived: false,
            order: { by: "bank", descending: false },
          }),
      },
      {
        path: "/refund-proposals",
        name: "refund_proposals",
        read: (window) => gateway.refundProposals.list(tenant, {}, window),
      },
      { path: "/paid-carts", name: "paid_carts", read: (window) => gateway.cartCompletions.list(tenant, by, window) },
    ]
  }

  it("exists for every list: the file has the list's rows in its order, and reading by ones skips and repeats none", async () => {
    await furnish()
    const { signal } = new AbortController()
    for (const { path, name, read } of readers()) {
      const whole = await read({ limit: 100, offset: 0 })
      const single: object[] = []
      const needed = once()
      let after: PageKey | null = null
      do {
        const page: Page<object> = await read({ limit: 1, offset: 0, reading: { after, signal, once: needed } })
        single.push(...page.rows)
        after = page.next ?? null
      } while (after !== null)
      expect([path, single]).toEqual([path, whole.rows])
      const { body } = await admin.get(`${path}${path.includes("?") ? "&" : "?"}limit=100&totals=true`)
      const [head, ...rows] = await recordsOf(await exported(path))
      expect([path, head.filter((header) => header === "")]).toEqual([path, []])
      expect([path, rows.every(({ length }) => length === head.length)]).toEqual([path, true])
      // Every request writes a line into the log of requests, but those of the admin.
      expect([path, rows.length]).toEqual([path, (body[name] as unknown[]).length])
      const id = head.indexOf("Id")
      expect([path, rows.map((row) => row[id])]).toEqual([path, ids(body[name] as Row[])])
    }
    const [, ...webhooks] = await recordsOf(await exported("/webhooks"))
    expect(webhooks.map(([id]) => id)).toEqual(ids((await admin.get("/webhooks")).body.webhooks))
    const { body } = await admin.get("/subscriptions")
    const history = `/subscriptions/${body.subscriptions[0].id}/billing-history`
    expect(await recordsOf(await exported(history))).toHaveLength((await admin.get(history)).body.count + 1)
  })

  it("of API keys has none of the keys, of the audit log no secret", async () => {
    const { key } = (await admin.post("/api-keys", { name: "shown once" })).body
    const { secret } = (await admin.post("/webhooks", { endpoint_url: `${receiver.url}/hook`, event_types: ["*"] }))
      .body
    for (const path of ["/api-keys", "/webhooks", "/audit"]) {
      const text = await (await exported(path)).text()
      expect([path, text.includes(key), text.includes(secret)]).toEqual([path, false, false])
    }
  })
})
