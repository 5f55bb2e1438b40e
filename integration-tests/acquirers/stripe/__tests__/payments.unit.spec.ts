import { stripe } from "../../../../src/modules/gateway/acquirers/stripe"
import {
  adapterOf,
  newKey,
  paid,
  payment,
  question,
  sentTo,
  startStandIn,
  started,
  type Session,
  type StandIn,
} from "../support"

const CREATE = "POST /v1/checkout/sessions"
const RETRIEVE = "GET /v1/checkout/sessions/:id"
const EXPIRE = "POST /v1/checkout/sessions/:id/expire"

let standIn: StandIn
beforeEach(async () => {
  standIn = await startStandIn()
})
afterEach(() => standIn.close())

describe("Stripe: starting a payment", () => {
  it("makes a Checkout Session of one card payment and sends the shopper to its page", async () => {
    const { request, url, references, session } = await started(standIn)
    expect(url).toBe(session.url)
    expect(references).toEqual({ made_by: "checkout", session_id: session.id })
    expect(session).toMatchObject({
      amount_total: 125_050,
      currency: "bdt",
      client_reference_id: request.key,
      metadata: { gateway_attempt: request.key, order_id: request.order_id, transaction_id: request.transaction_id },
      payment_method_types: ["card"],
      adaptive_pricing: { enabled: false },
      wallet_options: { link: { display: "never" } },
      customer_email: "rahim@example.com",
      locale: "en",
      success_url: `${request.return_url}?stripe_result=paid`,
      cancel_url: `${request.return_url}?stripe_result=cancelled`,
    })
    const [{ headers }] = sentTo(standIn, CREATE)
    expect(headers).toMatchObject({
      "stripe-version": "2026-07-29.dahlia",
      "idempotency-key": `checkout-${request.key}`,
      "content-type": "application/x-www-form-urlencoded",
    })
    // Neither the machine's name nor the times of earlier requests.
    expect(headers["x-stripe-client-telemetry"]).toBeUndefined()
    expect(headers["x-stripe-client-user-agent"]).not.toMatch(/platform/)
  })

  it("expires_at: at least 30 minutes and a margin, also when the session of the gateway ends sooner", async () => {
    const now = standIn.now()
    const { session } = await started(standIn, { now, expires_at: new Date(now.getTime() + 60_000) })
    const life = session.expires_at - now.getTime() / 1_000
    expect(life).toBeGreaterThanOrEqual(34 * 60)
    expect(life).toBeLessThanOrEqual(36 * 60)
  })

  it("expires_at: at most 24 hours, and by the real clock when a sandbox's clock was moved", async () => {
    const now = new Date(standIn.now().getTime() + 400 * 86_400_000)
    const { session } = await started(standIn, { now, expires_at: new Date(now.getTime() + 30 * 86_400_000) })
    expect(session.expires_at * 1_000).toBeLessThan(standIn.now().getTime() + 86_400_000)
  })

  it("decisions: Absent means absent — a shopper without an e-mail address types one on Stripe's page", async () => {
    const { customer } = (await started(standIn)).request
    await started(standIn, { customer: { ...customer, email: "" } })
    expect(sentTo(standIn, CREATE).at(-1)!.params).not.toHaveProperty("customer_email")
  })

  it("names the order where the description is empty, and cuts a long one", async () => {
    const nameOf = () => JSON.stringify(sentTo(standIn, CREATE).at(-1)!.params.line_items)
    const { request } = await started(standIn, { description: " " })
    expect(nameOf()).toContain(`Order ${request.order_id}`)
    await started(standIn, { description: "x".repeat(6_000) })
    expect(nameOf()).toContain("x".repeat(250))
    // Half of an emoji is no text that could be sent.
    await started(standIn, { description: `${"x".repeat(249)}🎁` })
    expect(nameOf()).toContain(`${"x".repeat(249)}"`)
  })

  it.each([
    ["amount_too_small", 1_000n, { code: "LIMIT_EXCEEDED", reason: "method_unavailable", trouble: "bad_request" }],
    ["amount_too_large", 100_000_000n, { code: "LIMIT_EXCEEDED", reason: "limit_exceeded", trouble: "bad_request" }],
  ])("invalid_request_error %s: refused, and an admin is alerted", async (_, amount, expected) => {
    const answer = await adapterOf(standIn).start(payment(standIn, { amount }))
    expect(answer).toMatchObject({ result: "refused", ...expected })
  })

  it("parameter_unknown and other invalid requests: refused as our own mistake", async () => {
    const answer = await adapterOf(standIn).start(payment(standIn, { currency: "XXX" }))
    expect(answer).toMatchObject({ result: "refused", code: "NETWORK_ERROR", trouble: "bad_request" })
  })

  it.each([
    ["unauthorized", { result: "refused", trouble: "credentials" }],
    ["forbidden", { result: "refused", trouble: "credentials" }],
    ["rate_limited", { result: "refused", trouble: "rate_limited", retry: true }],
    ["lock_timeout", { result: "refused", trouble: "rate_limited", retry: true }],
    ["conflict", { result: "unknown" }],
    ["api_error", { result: "unknown", trouble: "network" }],
    ["maintenance", { result: "unknown", trouble: "maintenance" }],
    ["error_in_200", { result: "unknown", trouble: "network" }],
    ["html", { result: "unknown", trouble: "network" }],
    ["html_after", { result: "unknown", trouble: "network" }],
    ["empty_500", { result: "unknown", trouble: "network" }],
  ])("answer %s: %j", async (fault, expected) => {
    standIn.faults.next(fault)
    expect(await adapterOf(standIn).start(payment(standIn))).toMatchObject(expected)
    expect(sentTo(standIn, CREATE)).toHaveLength(1)
  })

  it.each(["drop_before", "drop_after", "truncate"])(
    "%s: the same request with the same key is sent once more, and makes one session",
    async (fault) => {
      standIn.faults.next(fault)
      const { request, session } = await started(standIn)
      const sent = sentTo(standIn, CREATE)
      expect(sent.map(({ headers }) => headers["idempotency-key"])).toEqual(Array(2).fill(`checkout-${request.key}`))
      expect([...standIn.book.sessions.keys()]).toEqual([session.id])
    }
  )

  it("two lost answers: unknown, no third request, and the session is found later", async () => {
    standIn.faults.next("drop_after", { times: 2 })
    const adapter = adapterOf(standIn)
    const request = payment(standIn)
    const answer = await adapter.start(request)
    expect(answer).toMatchObject({ result: "unknown", trouble: "network", references: { made_by: "checkout" } })
    expect(sentTo(standIn, CREATE)).toHaveLength(2)
    const [session] = standIn.book.sessions.values()
    expect(await adapter.query(question(request, answer.references))).toMatchObject({
      result: "unknown",
      awaiting_shopper: true,
      references: { session_id: session.id },
    })
  })

  it.each(["unauthorized", "rate_limited", "conflict", "html"])(
    "a repetition that is turned away (%s) says nothing about the first request: unknown",
    async (fault) => {
      standIn.faults.next("drop_after")
      standIn.faults.next(fault, { skip: 1 })
      expect(await adapterOf(standIn).start(payment(standIn))).toMatchObject({ result: "unknown", trouble: "network" })
      expect(sentTo(standIn, CREATE)).toHaveLength(2)
      expect(standIn.book.sessions.size).toBe(1)
    }
  )

  it("an unreachable Stripe: refused, and the same call may be made again", async () => {
    const adapter = adapterOf(standIn)
    const request = payment(standIn)
    await standIn.close()
    expect(await adapter.start(request)).toMatchObject({ result: "refused", trouble: "network", retry: true })
    standIn = await startStandIn()
  })

  it("a key used before with other parameters (idempotency_error): unknown", async () => {
    const { adapter, request } = await started(standIn)
    expect(await adapter.start({ ...request, amount: 1_00_00n })).toMatchObject({
      result: "unknown",
      trouble: "bad_request",
    })
    expect(standIn.book.sessions.size).toBe(1)
  })

  it.each([
    ["sandbox", "sk_live_standin"],
    ["production", "sk_test_standin"],
  ])("%s with the key %s: nothing is sent", async (environment, secret_key) => {
    const adapter = adapterOf(standIn, { environment, secret_key })
    expect(await adapter.start(payment(standIn))).toMatchObject({ result: "refused", trouble: "credentials" })
    expect(await adapter.test()).toMatchObject({ works: false, trouble: "credentials" })
    expect(standIn.book.requests).toHaveLength(0)
  })

  it("only cards: another method is refused before the attempt", () => {
    const adapter = adapterOf(standIn)
    expect(() => adapter.check({ method: "card" })).not.toThrow()
    expect(() => adapter.check({ method: "mobile_banking" })).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", field: "payment_method" })
    )
  })
})

describe("Stripe: the outcome of a payment", () => {
  it("open: unknown, and waiting for the shopper", async () => {
    const { adapter, request, references, session } = await started(standIn)
    expect(await adapter.query(question(request, references))).toMatchObject({
      result: "unknown",
      awaiting_shopper: true,
      references: { session_id: session.id },
    })
  })

  it("complete and paid: done with Stripe's own amount, currency, fee and card", async () => {
    const { answer, session } = await paid(standIn)
    expect(answer).toMatchObject({
      reference: session.payment_intent,
      amount: 125_050n,
      currency: "BDT",
      instrument: { brand: "VISA", last_four: "4242" },
      references: {
        session_id: session.id,
        payment_intent: session.payment_intent,
        charge: expect.stringMatching(/^ch_/) as string,
      },
      details: { fee: "36.56", net: "1213.94", settlement_currency: "BDT", card_country: "BD", risk_level: "normal" },
    })
    expect(answer.kept).toBeUndefined()
    expect(answer.risk).toBeUndefined()
    expect(standIn.book.movements()).toHaveLength(1)
  })

  it("US dollars are reported as US dollars", async () => {
    const { answer } = await paid(standIn, "5555555555554444", { amount: 1_999n, currency: "USD" })
    expect(answer).toMatchObject({ amount: 1_999n, currency: "USD", instrument: { brand: "MASTERCARD" } })
  })

  it("elevated_risk_level: done, with the risk named", async () => {
    const { answer } = await paid(standIn, "4000000000009235")
    expect(answer.risk).toBe("elevated: elevated_risk_level: Payment reviewed.")
    expect(answer.details).toMatchObject({ risk_level: "elevated", risk_score: "71" })
  })

  it("setup_future_usage off_session: done with a kept card that names customer and payment method", async () => {
    const { answer, request } = await paid(standIn, "4242424242424242", { keep: true })
    const [customer] = standIn.book.customers.values()
    const [method] = standIn.book.payment_methods.values()
    expect(answer.kept).toEqual({ token: `${customer.id}:${method.id}`, expiry_month: 12, expiry_year: 2034 })
    expect(method.customer).toBe(customer.id)
    expect(sentTo(standIn, CREATE)[0].params).toMatchObject({
      customer_creation: "always",
      payment_intent_data: { setup_future_usage: "off_session", metadata: { gateway_attempt: request.key } },
    })
  })

  it("payment_intent.payment_failed is not final: the shopper tries another card inside the session", async () => {
    const { adapter, request, references, session } = await started(standIn)
    expect(await standIn.account.payOnPage(session.id, "4000000000009995")).toMatchObject({ result: "declined" })
    expect(await adapter.query(question(request, references))).toMatchObject({
      result: "unknown",
      awaiting_shopper: true,
      details: { last_decline: "insufficient_funds" },
    })
    await standIn.account.payOnPage(session.id, "4242424242424242")
    expect(await adapter.query(question(request, references))).toMatchObject({ result: "done", amount: 125_050n })
    expect(standIn.book.movements()).toHaveLength(1)
  })

  it("requires_action: the shopper is at their bank; afterwards done", async () => {
    const { adapter, request, references, session } = await started(standIn)
    await standIn.account.payOnPage(session.id, "4000002760003184")
    expect(await adapter.query(question(request, references))).toMatchObject({
      result: "unknown",
      awaiting_shopper: true,
    })
    await standIn.account.authenticate(session.id, true)
    expect(await adapter.query(question(request, references))).toMatchObject({ result: "done" })
  })

  it("complete but unpaid (processing): unknown, until the payment has succeeded or failed", async () => {
    const { adapter, request, references, session } = await started(standIn)
    standIn.faults.next("processing")
    await standIn.account.payOnPage(session.id, "4242424242424242")
    const answer = await adapter.query(question(request, references))
    expect(answer).toMatchObject({ result: "unknown" })
    expect(answer).not.toHaveProperty("awaiting_shopper")
    await standIn.account.finish(session.payment_intent, true)
    expect(await adapter.query(question(request, references))).toMatchObject({ result: "done" })
  })

  it("complete, and the bank refuses later: refused with its decline", async () => {
    const { adapter, request, references, session } = await started(standIn)
    standIn.faults.next("processing")
    await standIn.account.payOnPage(session.id, "4242424242424242")
    await standIn.account.finish(session.payment_intent, false)
    const answer = await adapter.query(question(request, references))
    expect(answer).toMatchObject({ result: "refused", code: "CARD_DECLINED" })
  })

  it("expired: refused as EXPIRED after the session's end, and nothing can be paid any more", async () => {
    const { adapter, request, references, session } = await started(standIn)
    await standIn.account.advance(36 * 60)
    const answer = await adapter.query(question(request, references, 36 * 60))
    expect(answer).toMatchObject({ result: "refused", code: "EXPIRED" })
    expect(await standIn.account.payOnPage(session.id, "4242424242424242")).toEqual({ result: "expired" })
  })

  it.each([
    ["4000000000000002", "CARD_DECLINED", undefined],
    ["4000000000009995", "INSUFFICIENT_FUNDS", "insufficient_funds"],
    ["4000000000000069", "EXPIRED_CARD", "expired_card"],
    ["4000000000000127", "INVALID_CVV", "wrong_security_code"],
    ["4000000000000119", "NETWORK_ERROR", undefined],
    ["4000000000006975", "LIMIT_EXCEEDED", "limit_exceeded"],
    ["4000000000009987", "FRAUD_SUSPECTED", "fraud_suspected"],
    ["4100000000000019", "FRAUD_SUSPECTED", "fraud_suspected"],
  ])("card %s, then expired: refused with the last decline, %s", async (card, code, reason) => {
    const { adapter, request, references, session } = await started(standIn)
    await standIn.account.payOnPage(session.id, card)
    await standIn.account.advance(36 * 60)
    const answer = await adapter.query(question(request, references, 36 * 60))
    expect(answer).toMatchObject({ result: "refused", code })
    expect("reason" in answer ? answer.reason : undefined).toBe(reason)
  })

  it.each(["no_amount", "wrong_key"])("%s: unknown", async (fault) => {
    const { adapter, request, references, session } = await started(standIn)
    await standIn.account.payOnPage(session.id, "4242424242424242")
    standIn.faults.next(fault, { on: RETRIEVE })
    expect(await adapter.query(question(request, references))).toMatchObject({ result: "unknown" })
  })

  it("another attempt's session pays nothing: unknown", async () => {
    const { adapter, session } = await paid(standIn)
    const request = payment(standIn)
    const answer = await adapter.query(question(request, { session_id: session.id, made_by: "checkout" }))
    expect(answer).toMatchObject({ result: "unknown", trouble: "bad_request" })
  })

  it.each([
    "unauthorized",
    "forbidden",
    "rate_limited",
    "conflict",
    "api_error",
    "maintenance",
    "error_in_200",
    "html",
    "html_after",
    "empty_500",
    "drop_before",
    "drop_after",
    "truncate",
  ])("a question answered by %s leaves the outcome unknown", async (fault) => {
    const { adapter, request, references, session } = await started(standIn)
    await standIn.account.payOnPage(session.id, "4242424242424242")
    standIn.faults.next(fault, { on: RETRIEVE })
    expect(await adapter.query(question(request, references))).toMatchObject({ result: "unknown" })
    expect(await adapter.query(question(request, references))).toMatchObject({ result: "done" })
  })

  it("resource_missing about a session that Stripe gave us: unknown, the key is another account's", async () => {
    const answer = await adapterOf(standIn).query(question(payment(standIn), { session_id: "cs_test_gone" }))
    expect(answer).toMatchObject({ result: "unknown", trouble: "credentials" })
  })
})

describe("Stripe: an attempt whose references are lost", () => {
  it("is found among the sessions of its time, whatever else was made then", async () => {
    for (let other = 0; other < 3; other++) {
      await started(standIn)
    }
    const { adapter, request, session } = await started(standIn)
    await started(standIn)
    await standIn.account.payOnPage(session.id, "4242424242424242")
    expect(await adapter.query(question(request))).toMatchObject({ result: "done", reference: session.payment_intent })
  })

  it("is found on a later page of the list", async () => {
    const { adapter, request, session } = await started(standIn)
    for (let other = 0; other < 120; other++) {
      const copy = { ...session, id: `cs_test_other${other}`, client_reference_id: `other${other}` }
      standIn.book.sessions.set(copy.id, copy)
    }
    expect(await adapter.query(question(request))).toMatchObject({ references: { session_id: session.id } })
    expect(sentTo(standIn, "GET /v1/checkout/sessions")).toHaveLength(2)
  })

  const others = (session: Session, count: number) => {
    for (let other = 0; other < count; other++) {
      const copy = { ...session, id: newKey("cs_test_"), client_reference_id: newKey("pay") }
      standIn.book.sessions.set(copy.id, copy)
    }
  }

  it("is found by later questions where one can't read everything, whatever was made in between", async () => {
    const { adapter, request, session } = await started(standIn)
    others(session, 4_100)
    const newest = [...standIn.book.sessions.keys()].reverse()
    let references = {}
    for (const read of [2_000, 4_000]) {
      const answer = await adapter.query(question(request, references))
      expect(answer).toMatchObject({ result: "unknown", ask_again_at: new Date(request.now.getTime() + 5_000) })
      references = { ...references, ...("references" in answer && answer.references) }
      expect(references).toMatchObject({ lookup_in: "sessions", lookup_after: newest[read - 1] })
      others(session, 1)
    }
    expect(await adapter.query(question(request, references))).toMatchObject({ references: { session_id: session.id } })
  })

  it("is absent only by a look-up that began when nothing could arrive any more", async () => {
    const { adapter, session } = await started(standIn)
    const request = payment(standIn)
    others(session, 2_100)
    const first = await adapter.query(question(request))
    const references = "references" in first ? first.references : {}
    const late = 30 * 60 + 11 * 60
    await standIn.account.advance(late)
    const answer = await adapter.query(question(request, references, late))
    expect(answer).toMatchObject({ result: "unknown", references: { lookup_began: "" } })
    const again = await adapter.query(question(request, { lookup_began: "", lookup_in: "", lookup_after: "" }, late))
    expect(again).toMatchObject({ result: "unknown", references: { lookup_in: "sessions" } })
    expect(await adapter.query(question(request, "references" in again ? again.references : {}, late))).toEqual({
      result: "absent",
    })
  })

  it("is looked for in production only around the attempt's own time", async () => {
    const live = await startStandIn({ secret_key: "sk_live_standin" })
    try {
      const adapter = adapterOf(live, { environment: "production" })
      const request = payment(live)
      const answer = await adapter.start(request)
      await live.account.payOnPage(
        answer.result === "redirect" ? answer.references!.session_id : "",
        "4242424242424242"
      )
      const week = 7 * 86_400
      await live.account.advance(week)
      expect(await adapter.query(question(request, {}, week))).toMatchObject({ result: "done", amount: 125_050n })
      const { created } = sentTo(live, "GET /v1/checkout/sessions")[0].params as { created: Record<string, string> }
      const made = request.now.getTime() / 1_000
      expect(Number(created.gte)).toBeLessThan(made)
      expect(Number(created.lte)).toBeGreaterThan(made)
      expect(Number(created.lte)).toBeLessThan(made + 3_600)
    } finally {
      await live.close()
    }
  })

  it("was never made (a start that was not answered): absent at once, because nobody has its page's address", async () => {
    standIn.faults.next("drop_before", { times: 2 })
    const adapter = adapterOf(standIn)
    const request = payment(standIn)
    const { references } = await adapter.start(request)
    expect(await adapter.query(question(request, references))).toEqual({ result: "absent" })
  })

  it("is absent after a crash only when Stripe would refuse a late request", async () => {
    const adapter = adapterOf(standIn)
    const request = payment(standIn)
    const early = await adapter.query(question(request, {}))
    expect(early).toMatchObject({ result: "unknown" })
    const later = 30 * 60 + 11 * 60
    await standIn.account.advance(later)
    expect(await adapter.query(question(request, {}, later))).toEqual({ result: "absent" })
    expect("ask_again_at" in early && early.ask_again_at!.getTime()).toBeLessThan(request.now.getTime() + later * 1_000)
  })

  it("a list that is not answered says nothing about it", async () => {
    standIn.faults.next("drop_before", { on: "GET /v1/checkout/sessions" })
    const request = payment(standIn)
    expect(await adapterOf(standIn).query(question(request, { made_by: "checkout" }))).toMatchObject({
      result: "unknown",
    })
  })
})

describe("Stripe: leaving a payment (sessions.expire)", () => {
  it("open: expired, and CANCELLED before the session's end", async () => {
    const { adapter, request, references, session } = await started(standIn)
    expect(await adapter.abandon(question(request, references))).toMatchObject({ result: "refused", code: "CANCELLED" })
    expect(session.status).toBe("expired")
    expect(await standIn.account.payOnPage(session.id, "4242424242424242")).toEqual({ result: "expired" })
    expect(await adapter.query(question(request, references))).toMatchObject({ result: "refused", code: "CANCELLED" })
  })

  it("after a decline: refused with its reason", async () => {
    const { adapter, request, references, session } = await started(standIn)
    await standIn.account.payOnPage(session.id, "4000000000000127")
    expect(await adapter.abandon(question(request, references))).toMatchObject({
      result: "refused",
      code: "INVALID_CVV",
      reason: "wrong_security_code",
    })
  })

  it("paid in the same moment: expire is refused, and the payment is done", async () => {
    const { adapter, request, references } = await started(standIn)
    standIn.faults.next("paid_before_expire")
    expect(await adapter.abandon(question(request, references))).toMatchObject({ result: "done", amount: 125_050n })
    expect(sentTo(standIn, EXPIRE)[0].status).toBe(400)
  })

  it.each(["drop_after", "html_after", "api_error"])(
    "expire answered by %s: the session says what became of it",
    async (fault) => {
      const { adapter, request, references } = await started(standIn)
      standIn.faults.next(fault, { on: EXPIRE })
      const answer = await adapter.abandon(question(request, references))
      expect(answer).toMatchObject(
        fault === "api_error"
          ? { result: "unknown", awaiting_shopper: undefined }
          : { result: "refused", code: "CANCELLED" }
      )
    }
  )

  it("while the payment is processing: it cannot be closed", async () => {
    const { adapter, request, references, session } = await started(standIn)
    standIn.faults.next("processing")
    await standIn.account.payOnPage(session.id, "4242424242424242")
    expect(await adapter.abandon(question(request, references))).toMatchObject({ result: "unknown" })
  })

  it("of which no session was made: refused", async () => {
    const request = payment(standIn)
    const answer = await adapterOf(standIn).abandon(question(request, { made_by: "checkout" }))
    expect(answer).toMatchObject({ result: "refused", code: "CANCELLED" })
  })
})

describe("Stripe: the account", () => {
  it("test: works with a key that may read the balance", async () => {
    expect(await adapterOf(standIn).test()).toEqual({ works: true })
  })

  it.each([
    ["unauthorized", "credentials"],
    ["forbidden", "credentials"],
    ["rate_limited", "rate_limited"],
    ["maintenance", "maintenance"],
    ["drop_after", "network"],
  ])("test: %s is trouble of kind %s", async (fault, trouble) => {
    standIn.faults.next(fault)
    expect(await adapterOf(standIn).test()).toMatchObject({ works: false, trouble })
  })

  it("test: another account's key", async () => {
    const adapter = adapterOf(standIn, { secret_key: "sk_test_another" })
    const answer = await adapter.test()
    expect(answer).toMatchObject({ works: false, trouble: "credentials" })
    expect(JSON.stringify(answer)).not.toContain("sk_test_another")
  })

  it("definition: cards in currencies of two decimals", () => {
    expect(stripe).toMatchObject({ id: "stripe", name: "Stripe", services: ["CARD"] })
    expect(stripe.currencies).toEqual(expect.arrayContaining(["BDT", "USD", "EUR", "GBP", "INR"]))
    for (const currency of stripe.currencies) {
      const { maximumFractionDigits } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
      // ICU shows rupees and rupiah without decimals by habit; Stripe counts both in hundredths.
      expect([currency, ["PKR", "IDR"].includes(currency) ? 2 : maximumFractionDigits]).toEqual([currency, 2])
    }
  })
})
