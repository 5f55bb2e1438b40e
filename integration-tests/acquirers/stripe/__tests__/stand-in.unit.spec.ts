import { startStandIn, type StandIn } from "../support"

/*
 * The stand-in refuses what Stripe refuses: without that, the adapter's tests would prove nothing about its requests.
 */
const VERSION = "2026-07-29.dahlia"
const SESSIONS = "/v1/checkout/sessions"

let standIn: StandIn
beforeEach(async () => {
  standIn = await startStandIn()
})
afterEach(() => standIn.close())

async function send(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await fetch(`${standIn.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${standIn.secret_key}`, "stripe-version": VERSION, ...headers },
    body: new URLSearchParams(form),
  })
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as { id?: string; error?: object },
  }
}

function sessionForm(changes: Record<string, string> = {}): Record<string, string> {
  return {
    mode: "payment",
    success_url: "https://shop.example.com/ok",
    "line_items[0][quantity]": "1",
    "line_items[0][price_data][currency]": "bdt",
    "line_items[0][price_data][unit_amount]": "10000",
    "line_items[0][price_data][product_data][name]": "Tea",
    ...changes,
  }
}

const seconds = (offset: number) => String(Math.floor(Date.now() / 1_000) + offset)

describe("the Stripe stand-in", () => {
  it("accepts a proper session, with either way of authentication", async () => {
    const basic = `Basic ${Buffer.from(`${standIn.secret_key}:`).toString("base64")}`
    expect((await send(SESSIONS, sessionForm())).status).toBe(200)
    expect((await send(SESSIONS, sessionForm(), { authorization: basic })).status).toBe(200)
  })

  it.each([
    ["no key", { authorization: "" }, 401],
    ["another key", { authorization: "Bearer sk_test_other" }, 401],
    ["no version", { "stripe-version": "" }, 400],
    ["another version", { "stripe-version": "2019-01-01" }, 400],
    ["JSON", { "content-type": "application/json" }, 400],
    ["an idempotency key of 256 characters", { "idempotency-key": "k".repeat(256) }, 400],
  ])("refuses %s", async (_, headers, status) => {
    expect((await send(SESSIONS, sessionForm(), headers)).status).toBe(status)
    expect(standIn.book.sessions.size).toBe(0)
  })

  it.each([
    ["an unknown parameter", { payment_methods: "card" }, "parameter_unknown"],
    ["an unknown parameter inside", { "payment_intent_data[metadat][a]": "b" }, "parameter_unknown"],
    ["a decimal amount", { "line_items[0][price_data][unit_amount]": "100.00" }, "parameter_invalid_integer"],
    ["an amount that is too small", { "line_items[0][price_data][unit_amount]": "100" }, "amount_too_small"],
    ["an amount that is too large", { "line_items[0][price_data][unit_amount]": "100000000" }, "amount_too_large"],
    ["a currency in capitals", { "line_items[0][price_data][currency]": "BDT" }, undefined],
    ["an empty name", { "line_items[0][price_data][product_data][name]": "" }, "parameter_invalid_empty"],
    ["no mode", { mode: "" }, undefined],
    ["a relative success_url", { success_url: "/ok" }, "url_invalid"],
    ["no e-mail address", { customer_email: "rahim" }, "email_invalid"],
    ["an expires_at in less than 30 minutes", { expires_at: seconds(1_790) }, undefined],
    ["an expires_at in more than 24 hours", { expires_at: seconds(86_420) }, undefined],
    ["metadata that is too long", { "metadata[a]": "x".repeat(501) }, undefined],
    ["a metadata key that is too long", { [`metadata[${"k".repeat(41)}]`]: "x" }, undefined],
    ["a client_reference_id that is too long", { client_reference_id: "x".repeat(201) }, undefined],
    ["customer and customer_creation", { customer: "cus_1", customer_creation: "always" }, undefined],
    ["a language that Checkout does not speak", { locale: "bn" }, undefined],
    ["a property that cannot be expanded", { "expand[0]": "client_secret" }, undefined],
  ])("refuses %s", async (_, changes, code) => {
    const { status, body } = await send(SESSIONS, sessionForm(changes))
    expect([status, body.error]).toEqual([400, expect.objectContaining(code === undefined ? {} : { code })])
  })

  it("refuses missing parameters", async () => {
    for (const name of ["mode", "success_url", "line_items[0][price_data][currency]"]) {
      const form = Object.entries(sessionForm()).filter(([field]) => field !== name)
      expect((await send(SESSIONS, Object.fromEntries(form))).body.error).toMatchObject({ code: "parameter_missing" })
    }
  })

  it("idempotency: replays the first answer, refuses other parameters, forgets after a day", async () => {
    const key = { "idempotency-key": "key" }
    const first = await send(SESSIONS, sessionForm(), key)
    const again = await send(SESSIONS, sessionForm(), key)
    expect([again.body, again.headers.get("idempotent-replayed")]).toEqual([first.body, "true"])
    const other = await send(SESSIONS, sessionForm({ client_reference_id: "x" }), key)
    expect([other.status, other.body.error]).toEqual([400, expect.objectContaining({ type: "idempotency_error" })])
    await standIn.account.advance(86_400)
    expect((await send(SESSIONS, sessionForm(), key)).body.id).not.toBe(first.body.id)
  })

  it("idempotency: a request that did not pass validation is not kept, and may be corrected", async () => {
    const key = { "idempotency-key": "key" }
    expect((await send(SESSIONS, sessionForm({ mode: "x" }), key)).status).toBe(400)
    expect((await send(SESSIONS, sessionForm(), key)).status).toBe(200)
  })

  it("off_session needs confirm and a payment method of the same customer", async () => {
    const form = { amount: "10000", currency: "bdt", off_session: "true" }
    expect((await send("/v1/payment_intents", form)).body.error).toMatchObject({ param: "off_session" })
    expect((await send("/v1/payment_intents", { ...form, confirm: "true" })).body.error).toMatchObject({
      param: "payment_method",
    })
  })

  describe("reserved money", () => {
    async function reserved(): Promise<string> {
      const { id } = (await send(SESSIONS, sessionForm({ "payment_intent_data[capture_method]": "manual" }))).body
      await standIn.account.payOnPage(id ?? "", "4242424242424242")
      return standIn.book.sessions.get(id ?? "")!.payment_intent
    }
    const capture = (id: string, form: Record<string, string> = {}) => send(`/v1/payment_intents/${id}/capture`, form)

    it.each([
      ["nothing", { amount_to_capture: "0" }, undefined],
      ["more than is reserved", { amount_to_capture: "10001" }, "amount_too_large"],
      ["several parts", { amount_to_capture: "100", final_capture: "false" }, undefined],
      ["an unknown parameter", { amount: "100" }, "parameter_unknown"],
    ])("is not captured: %s", async (_, form, code) => {
      const intent = await reserved()
      const { status, body } = await capture(intent, form)
      expect([status, body.error]).toEqual([400, expect.objectContaining(code === undefined ? {} : { code })])
      expect(standIn.book.payment_intents.get(intent)!.status).toBe("requires_capture")
    })

    it("is captured once, whole where no amount is named, and cannot be refunded before that", async () => {
      const intent = await reserved()
      expect((await send("/v1/refunds", { payment_intent: intent })).status).toBe(400)
      expect((await capture(intent)).body).toMatchObject({ status: "succeeded", amount_received: 10_000 })
      for (const path of ["capture", "cancel"]) {
        const again = await send(`/v1/payment_intents/${intent}/${path}`, {})
        expect(again.body.error).toMatchObject({ code: "payment_intent_unexpected_state" })
      }
    })

    it("a capture method that Stripe does not know is refused", async () => {
      const form = sessionForm({ "payment_intent_data[capture_method]": "later" })
      expect((await send(SESSIONS, form)).status).toBe(400)
    })

    it("a payment intent of an open session is cancelled with its session only", async () => {
      const { id } = (await send(SESSIONS, sessionForm())).body
      await standIn.account.payOnPage(id ?? "", "4000000000000002")
      const intent = standIn.book.sessions.get(id ?? "")!.payment_intent
      expect((await send(`/v1/payment_intents/${intent}/cancel`, {})).status).toBe(400)
    })
  })

  it("knows no other operation", async () => {
    expect((await send("/v1/charges", { amount: "100" })).status).toBe(404)
    expect((await send(`${SESSIONS}/cs_test_none/expire`, {})).body.error).toMatchObject({ code: "resource_missing" })
  })

  it("is controlled from another process", async () => {
    const control = async (path: string, method = "POST", body: object = {}) => {
      const answer = await fetch(`${standIn.url}/_control/${path}`, {
        method,
        ...(method === "POST" && { body: JSON.stringify(body) }),
      })
      return (await answer.json()) as Record<string, unknown[]>
    }
    const { id } = (await send(SESSIONS, sessionForm())).body
    expect(await control("pay", "POST", { session: id, card: "4242424242424242" })).toEqual({ result: "succeeded" })
    await control("faults", "POST", { name: "maintenance" })
    expect((await send(SESSIONS, sessionForm())).status).toBe(503)
    const book = await control("book", "GET")
    expect(book.movements).toMatchObject([{ kind: "payment", currency: "bdt" }])
    expect(book.requests).toHaveLength(2)
  })
})
