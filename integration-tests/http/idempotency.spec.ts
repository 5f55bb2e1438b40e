import { randomUUID } from "node:crypto"
import { brief, gatewayOf, newMerchant, order, orderId, type Answer, type ApiMerchant } from "../support/api"
import type { IdempotencyClaim } from "../../src/modules/gateway/merchants/idempotency"
import { LIMITS } from "../../src/modules/gateway/kernel/limits"
import { holding } from "../support/locks"
import { useStore } from "../support/store"
import { until } from "../support/until"

const store = useStore({
  production: true,
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
  },
})
let merchant: ApiMerchant

const keyed = (key: string = randomUUID()) => ({ headers: { "Idempotency-Key": key } })
const replayed = ({ headers }: Answer) => headers.get("idempotent-replayed")
const transactions = async (order_id: unknown) => (await store.db("gateway_transaction").where({ order_id })).length

/** Waits until the key is claimed: its request is running. */
async function claimed(key: string): Promise<void> {
  const claims = () => store.db("gateway_idempotency_key").where({ key })
  await until("the key is claimed", async () => (await claims()).length > 0)
}

describe("decisions: Requests — Idempotency-Key: the same request is answered once", () => {
  it("a checkout: the stored answer to the byte, with Idempotent-Replayed, and one session", async () => {
    const body = order()
    const options = keyed()
    const first = await merchant.call("POST", "/payments/checkout", body, options)
    const second = await merchant.call("POST", "/payments/checkout", body, options)
    const third = await merchant.call("POST", "/payments/checkout", body, options)
    expect([first.status, replayed(first)]).toEqual([200, null])
    expect([second.status, replayed(second), second.text]).toEqual([200, "true", first.text])
    expect(third.text).toBe(first.text)
    expect(second.headers.get("content-type")).toBe(first.headers.get("content-type"))
    expect(await transactions(body.order_id)).toBe(1)
  })

  it("decisions: Lengths before contents: the largest answer, of a whole batch of refunds, is replayed", async () => {
    const refund_reason = "স".repeat(LIMITS.refundReasonMaxChars)
    const refunds = Array.from({ length: LIMITS.refundBatchMax }, (_, at) => ({
      transaction_id: `${"স".repeat(60)}${at}`,
      refund_reason,
    }))
    const options = keyed()
    const [first, second] = [
      await merchant.call("POST", "/payments/refunds/batch", { refunds }, options),
      await merchant.call("POST", "/payments/refunds/batch", { refunds }, options),
    ]
    expect([first.status, replayed(second), second.text]).toEqual([200, "true", first.text])
    expect(Buffer.byteLength(first.text)).toBeLessThan(LIMITS.idempotentAnswerMaxBytes / 2)
  })

  it("a payment: paid once, the first outcome replayed", async () => {
    const { session_id, transaction_id } = await merchant.open()
    const options = keyed()
    const [first, second] = [
      await merchant.pay(session_id, undefined, options),
      await merchant.pay(session_id, undefined, options),
    ]
    expect([second.status, second.text, replayed(second)]).toEqual([200, first.text, "true"])
    expect(await merchant.book(transaction_id)).toHaveLength(1)
    expect(await merchant.events(transaction_id)).toHaveLength(1)
  })

  it.each([
    ["minutes", 600],
    ["more than the 24 hours that a key is kept", 90_000],
  ])("a clock move of %s: the clock moves once", async (_name, advance_seconds) => {
    const mover = await newMerchant(store)
    const options = keyed()
    const move = () => mover.call("POST", "/sandbox/clock", { advance_seconds }, options)
    const [first, second] = [await move(), await move()]
    expect([replayed(first), replayed(second), second.text]).toEqual([null, "true", first.text])
    expect((await mover.call("GET", "/sandbox/clock")).body.data.offset_seconds).toBe(first.body.data.offset_seconds)
  })

  it("an error is an answer like any other: replayed, its request_id with it", async () => {
    const options = keyed()
    const body = order({ order_amount: "9.00" })
    const first = await merchant.call("POST", "/payments/checkout", body, options)
    const second = await merchant.call("POST", "/payments/checkout", body, options)
    expect([second.status, second.text, replayed(second)]).toEqual([400, first.text, "true"])
  })

  it("a decline is replayed, not tried again", async () => {
    const { session_id, transaction_id } = await merchant.open({ order_amount: "300.00" })
    const options = keyed()
    const [first, second] = [
      await merchant.pay(session_id, undefined, options),
      await merchant.pay(session_id, undefined, options),
    ]
    expect([first.body.data.status, second.text]).toEqual(["FAILED", first.text])
    expect((await merchant.book(transaction_id))[0].tries).toBe(1)
  })

  it("without a key, or with another one, a request is a request of its own", async () => {
    const body = order()
    expect((await merchant.call("POST", "/payments/checkout", body, keyed())).status).toBe(200)
    expect(brief(await merchant.call("POST", "/payments/checkout", body, keyed()))).toBe(
      "409 DUPLICATE_TRANSACTION order_id"
    )
    expect(brief(await merchant.call("POST", "/payments/checkout", body))).toBe("409 DUPLICATE_TRANSACTION order_id")
  })

  it("a GET has no use for it", async () => {
    const { transaction_id, session_id } = await merchant.open()
    const options = keyed()
    expect((await merchant.verify(transaction_id, options)).body.data.status).toBe("PENDING")
    await merchant.pay(session_id)
    const again = await merchant.verify(transaction_id, options)
    expect([again.body.data.status, replayed(again)]).toEqual(["SUCCESS", null])
  })
})

describe("decisions: Requests — the same key with another request: 422 IDEMPOTENCY_KEY_REUSED", () => {
  it.each<[string, () => Promise<[method: string, path: string, body: unknown]>]>([
    ["another body", async () => ["POST", "/payments/checkout", order()]],
    ["another operation", async () => ["POST", "/sandbox/clock", { advance_seconds: 1 }]],
    [
      "another resource",
      async () => ["POST", `/sandbox/sessions/${(await merchant.open()).session_id}/cancel`, undefined],
    ],
  ])("%s", async (_name, other) => {
    const options = keyed()
    await merchant.call("POST", "/payments/checkout", order(), options)
    const answer = await merchant.call(...(await other()), options)
    expect(brief(answer)).toBe("422 IDEMPOTENCY_KEY_REUSED Idempotency-Key")
  })

  it("the other request has not run, and the first answer is still there", async () => {
    const options = keyed()
    const [body, other] = [order(), order()]
    const first = await merchant.call("POST", "/payments/checkout", body, options)
    await merchant.call("POST", "/payments/checkout", other, options)
    expect(await transactions(other.order_id)).toBe(0)
    expect((await merchant.call("POST", "/payments/checkout", body, options)).text).toBe(first.text)
  })
})

describe("decisions: Requests — while the first still runs: 409 IDEMPOTENCY_KEY_IN_USE", () => {
  it("and its answer is replayed once it is done", async () => {
    const { session_id, transaction_id } = await merchant.open()
    const key = randomUUID()
    const running = await holding(store, "gateway_transaction", transaction_id, async () => {
      const first = merchant.pay(session_id, undefined, keyed(key))
      await claimed(key)
      const second = await merchant.pay(session_id, undefined, keyed(key))
      expect(brief(second)).toBe("409 IDEMPOTENCY_KEY_IN_USE Idempotency-Key")
      expect(brief(await merchant.cancel(session_id, keyed(key)))).toBe("422 IDEMPOTENCY_KEY_REUSED Idempotency-Key")
      return { first }
    })
    const first = await running.first
    expect(first.body.data.status).toBe("SUCCESS")
    expect((await merchant.pay(session_id, undefined, keyed(key))).text).toBe(first.text)
  })

  it("a move of the clock past the 24 hours of its own key: the clock moves once", async () => {
    const mover = await newMerchant(store)
    const key = randomUUID()
    const move = (advance_seconds = 90_000) => mover.call("POST", "/sandbox/clock", { advance_seconds }, keyed(key))
    const offset = async () => (await mover.call("GET", "/sandbox/clock")).body.data.offset_seconds
    // The move's last statement waits: the clock has moved, and the request still runs.
    const held = await store.db.transaction()
    let first: Promise<Answer>
    try {
      await held.raw("LOCK TABLE gateway_audit_entry IN SHARE ROW EXCLUSIVE MODE")
      first = move()
      await until("the clock has moved", async () => (await offset()) >= 90_000)
      expect(brief(await move())).toBe("409 IDEMPOTENCY_KEY_IN_USE Idempotency-Key")
      expect(brief(await move(1))).toBe("422 IDEMPOTENCY_KEY_REUSED Idempotency-Key")
      await gatewayOf(store).idempotency.purge()
      expect(await store.db("gateway_idempotency_key").where({ key })).toHaveLength(1)
    } finally {
      await held.rollback()
    }
    const { status, text, body } = await first
    expect(status).toBe(200)
    const again = await move()
    expect([again.text, replayed(again), await offset()]).toEqual([text, "true", body.data.offset_seconds])
  })

  it("a request that still runs prolongs its lease; after its answer, or under another claim, there is none", async () => {
    const scope = { merchant_id: merchant.id, environment: "sandbox" as const, now: new Date() }
    const { idempotency } = gatewayOf(store)
    const key = randomUUID()
    const claim = (await idempotency.begin(scope, key, "fingerprint")) as IdempotencyClaim
    const row = () => store.db("gateway_idempotency_key").where({ key }).first()
    const end = () =>
      store
        .db("gateway_idempotency_key")
        .where({ key })
        .update({ leased_until: new Date(0) })
    await end()
    await idempotency.renew(claim)
    await expect(idempotency.begin(scope, key, "fingerprint")).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_IN_USE" })
    await end()
    await idempotency.renew({ ...claim, lease_token: randomUUID() })
    expect((await row()).leased_until).toEqual(new Date(0))
    await idempotency.finish(claim, { status: 200, body: "{}" })
    await idempotency.renew(claim)
    expect(await row()).toMatchObject({ status: 200, leased_until: new Date(0) })
  })
})

describe("decisions: Requests — how long, for whom, and which keys", () => {
  it("kept 24 hours by the merchant's clock", async () => {
    const owner = await newMerchant(store)
    const options = keyed()
    const body = { advance_seconds: 1 }
    const first = await owner.call("POST", "/sandbox/clock", body, options)
    await owner.advance(86_000)
    expect((await owner.call("POST", "/sandbox/clock", body, options)).text).toBe(first.text)
    await owner.advance(500)
    const later = await owner.call("POST", "/sandbox/clock", body, options)
    expect([later.status, replayed(later)]).toEqual([200, null])
    expect(later.text).not.toBe(first.text)
  })

  it("after that the same key may mean another request", async () => {
    const owner = await newMerchant(store)
    const options = keyed()
    await owner.checkout({}, options)
    await owner.advance(86_401)
    expect((await owner.checkout({}, options)).status).toBe(200)
  })

  it("forgotten keys are purged by the job, others are not", async () => {
    const owner = await newMerchant(store)
    await owner.checkout({}, keyed("purge-old"))
    await owner.advance(86_401)
    await owner.checkout({}, keyed("purge-new"))
    expect(await gatewayOf(store).idempotency.purge()).toBeGreaterThanOrEqual(1)
    const left = await store.db("gateway_idempotency_key").where({ merchant_id: owner.id }).select("key")
    expect(left).toEqual([{ key: "purge-new" }])
  })

  it("per merchant: another one's key is no key of ours", async () => {
    const [one, two] = [await newMerchant(store), await newMerchant(store)]
    const options = keyed()
    const [first, second] = [await one.checkout({}, options), await two.checkout({}, options)]
    expect([first.status, second.status, replayed(second)]).toEqual([200, 200, null])
  })

  it("per environment: the same key of the same merchant is another one in production", async () => {
    const { id } = await newMerchant(store)
    const begin = (environment: "sandbox" | "production") =>
      gatewayOf(store).idempotency.begin({ merchant_id: id, environment, now: new Date() }, "shared", "fingerprint")
    const claims = [await begin("sandbox"), await begin("production")]
    expect(claims).toEqual(Array(2).fill(expect.objectContaining({ lease_token: expect.any(String) })))
    await expect(begin("production")).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_IN_USE" })
  })

  it.each([
    ["1 character", "k", 200],
    ["255 characters", "k".repeat(255), 200],
    ["256 characters", "k".repeat(256), 422],
    ["empty", "", 422],
    ["bytes beyond ASCII", "cl\u00e9 \u00ff", 200],
    ["quotes and SQL", "'; DROP TABLE x; --", 200],
  ])("a key of %s: %p answers %p", async (_name, key, status) => {
    const answer = await (await newMerchant(store)).checkout({}, keyed(key))
    expect(answer.status).toBe(status)
    expect(answer.body.error?.field).toBe(status === 422 ? "Idempotency-Key" : undefined)
    expect(answer.body.error?.code).toBe(status === 422 ? "VALIDATION_ERROR" : undefined)
  })
})

describe("decisions: Requests — what is not kept", () => {
  it("a 5xx answer: the same key runs again at once", async () => {
    const body = order()
    const options = keyed()
    store.expectServerError("/api/v2/payments/checkout")
    await store.db.raw(
      "ALTER TABLE gateway_checkout_session ADD CONSTRAINT nobody_pays CHECK (order_id <> ?) NOT VALID".replace(
        "?",
        `'${body.order_id}'`
      )
    )
    try {
      expect(brief(await merchant.call("POST", "/payments/checkout", body, options))).toBe("500 INTERNAL_SERVER_ERROR")
    } finally {
      await store.db.raw("ALTER TABLE gateway_checkout_session DROP CONSTRAINT nobody_pays")
    }
    const retried = await merchant.call("POST", "/payments/checkout", body, options)
    expect([retried.status, replayed(retried)]).toEqual([200, null])
    const again = await merchant.call("POST", "/payments/checkout", body, options)
    expect([again.text, replayed(again)]).toEqual([retried.text, "true"])
  })

  it("a request that never reached its operation (no key, malformed JSON) claims nothing", async () => {
    const options = keyed()
    expect((await merchant.call("POST", "/payments/checkout", undefined, { ...options, raw: "{" })).status).toBe(400)
    expect((await merchant.checkout({}, { ...options, key: null })).status).toBe(401)
    expect((await merchant.checkout({}, options)).status).toBe(200)
  })

  it("a process that died with the claim: the lease runs out and the same request finds its own session", async () => {
    const body = order()
    const key = randomUUID()
    const first = await merchant.call("POST", "/payments/checkout", body, keyed(key))
    const died = { status: null, body: null, leased_until: new Date(Date.now() + 60_000) }
    await store.db("gateway_idempotency_key").where({ key }).update(died)
    expect(brief(await merchant.call("POST", "/payments/checkout", body, keyed(key)))).toBe(
      "409 IDEMPOTENCY_KEY_IN_USE Idempotency-Key"
    )
    await store
      .db("gateway_idempotency_key")
      .where({ key })
      .update({ leased_until: new Date(Date.now() - 1) })
    expect(
      brief(await merchant.call("POST", "/payments/checkout", order({ order_id: orderId() }), keyed(key)))
    ).toContain("IDEMPOTENCY_KEY_REUSED")
    const retried = await merchant.call("POST", "/payments/checkout", body, keyed(key))
    expect(retried.body.data).toEqual(first.body.data)
    expect(await transactions(body.order_id)).toBe(1)
  })
})
