import { type Answer, brief, call, orderId, type ApiMerchant } from "../support/api"
import { anonymousIn, expectErrorShape, fromElsewhere, LIMITED, limitedMerchant } from "../support/limited"
import { useStore } from "../support/store"

const store = useStore({
  production: true,
  env: LIMITED,
  prepare: async (booted) => {
    merchant = await limitedMerchant(booted, 0)
  },
})
let merchant: ApiMerchant

const post = (raw: string | Buffer, headers: Record<string, string> = {}, path = "/payments/checkout") =>
  merchant.call("POST", path, undefined, { raw, headers })
const anonymous = anonymousIn(store)

describe("contract 7.1 — the main shape, whatever went wrong", () => {
  it.each<[string, string, () => Promise<Answer>]>([
    ["no key", "401 API_KEY_MISSING", () => anonymous("GET", "/sandbox/clock")],
    [
      "bad key",
      "401 INVALID_API_KEY",
      () => call(store.url, "GET", "/sandbox/clock", undefined, { key: "x", headers: fromElsewhere() }),
    ],
    ["bad key on verify", "401 UNAUTHORIZED", () => anonymous("GET", "/payments/verify/txn1")],
    [
      "other environment",
      "403 INVALID_ENVIRONMENT",
      () => merchant.verify("txn1", { key: `sk_live_${"a".repeat(43)}` }),
    ],
    ["amount range", "400 INVALID_REQUEST order_amount", () => merchant.checkout({ order_amount: 1 })],
    ["malformed JSON", "400 INVALID_REQUEST", () => post("{")],
    ["validation", "422 VALIDATION_ERROR order_id", () => merchant.call("POST", "/payments/checkout", {})],
    ["one field", "422 INVALID_CURRENCY currency", () => merchant.checkout({ currency: "EUR" })],
    ["callback URL", "400 INVALID_CALLBACK_URL fail_url", () => merchant.checkout({ fail_url: "ftp://x.example.com" })],
    ["unknown transaction", "404 TRANSACTION_NOT_FOUND", () => merchant.verify("txn1")],
    ["unknown session", "404 SESSION_NOT_FOUND", () => merchant.pay("ses_1")],
    ["unknown path", "404 NOT_FOUND", () => anonymous("GET", "/nothing")],
    ["wrong method", "405 METHOD_NOT_ALLOWED", () => anonymous("DELETE", "/payments/checkout")],
    [
      "the sandbox of a sandbox",
      "404 NOT_FOUND",
      () => call(store.url, "GET", "/sandbox/clock", undefined, { base: "/sandbox/api/v2", headers: fromElsewhere() }),
    ],
    [
      "media type",
      "415 UNSUPPORTED_MEDIA_TYPE",
      () => post("a=1", { "Content-Type": "application/x-www-form-urlencoded" }),
    ],
    ["size", "413 PAYLOAD_TOO_LARGE", () => post("x".repeat(262_145))],
  ])("%s: %s", async (_name, expected, request) => {
    const answer = await request()
    expect(brief(answer)).toBe(expected)
    expectErrorShape(answer)
    expect(answer.body.detail).toBeUndefined()
    expect(answer.body.status_code).toBeUndefined()
  })

  it("an unexpected failure is 500 INTERNAL_SERVER_ERROR without details", async () => {
    const order_id = orderId()
    store.expectServerError("/api/v2/payments/checkout")
    await failFor(order_id, async () => {
      const answer = await merchant.checkout({ order_id })
      expect(brief(answer)).toBe("500 INTERNAL_SERVER_ERROR")
      expectErrorShape(answer)
      expect(answer.text).not.toMatch(/told nobody|trigger|gateway_checkout_session|SQL|insert/i)
    })
  })

  it.each([
    ["without a key", undefined],
    ["with an Idempotency-Key", { "Idempotency-Key": "acquirer gone" }],
  ])("contract 7.2: a 503 of an operation says when to ask again: %s", async (_name, headers) => {
    store.expectServerError("/api/v2/payments/refund")
    const { session_id, transaction_id } = await merchant.open()
    await merchant.pay(session_id)
    await store.db("gateway_transaction").where({ id: transaction_id }).update({ acquirer: "gone" })
    const refund = { transaction_id, refund_reason: "Broken" }
    const answer = await merchant.call("POST", "/payments/refund", refund, { headers })
    expect([brief(answer), answer.headers.get("retry-after")]).toEqual(["503 SERVICE_UNAVAILABLE", "5"])
    expectErrorShape(answer)
  })
})

describe("decisions: Requests — subscription paths answer both shapes merged", () => {
  it.each([
    "/payments/subscriptions/x/nothing",
    "/payments/subscription-plans/1/nothing",
    "/payments/subscriptions/a/b/c",
  ])("%s", async (path) => {
    const answer = await anonymous("GET", path)
    expect(brief(answer)).toBe("404 NOT_FOUND")
    expectErrorShape(answer)
    expect(answer.body).toMatchObject({ detail: answer.body.error.message, code: "NOT_FOUND", status_code: 404 })
  })

  it("a path that only begins alike does not", async () => {
    expect((await anonymous("GET", "/payments/subscriptionsX")).body.detail).toBeUndefined()
  })
})

/** Makes PostgreSQL refuse one order with an unexpected error. */
async function failFor(order_id: string, work: () => Promise<void>): Promise<void> {
  await store.db.raw(`CREATE FUNCTION refuse_order() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF NEW.order_id = '${order_id}' THEN RAISE EXCEPTION 'told nobody'; END IF; RETURN NEW; END $$`)
  await store.db.raw(
    "CREATE TRIGGER refuse_order BEFORE INSERT ON gateway_checkout_session FOR EACH ROW EXECUTE FUNCTION refuse_order()"
  )
  try {
    await work()
  } finally {
    await store.db.raw("DROP FUNCTION refuse_order CASCADE")
  }
}
