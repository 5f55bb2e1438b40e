import { ApiMerchant, brief, gatewayOf, newMerchant } from "../support/api"
import { DELAYED, paid, refund, refundData, refundEvents } from "../support/refunds"
import { useStore } from "../support/store"

const store = useStore({ production: true })

const status = async (owner: ApiMerchant, refund_id: string) =>
  refundData(await owner.call("GET", `/payments/refund/${refund_id}`))
const transaction = (id: string) => store.db("gateway_transaction").where({ id }).first()
const tenant = (owner: ApiMerchant) => ({ merchant_id: owner.id, environment: "sandbox" as const })

describe("decisions: Approval of refunds — splitting does not get round the limits", () => {
  type Limits = Parameters<ReturnType<typeof gatewayOf>["merchants"]["configure"]>[1]
  const owned = async (limits: Limits) => {
    const owner = await newMerchant(store)
    await gatewayOf(store).merchants.configure(tenant(owner), limits)
    return owner
  }
  const states = (answers: readonly Awaited<ReturnType<typeof refund>>[]) =>
    answers.map((answer) => refundData(answer).refund_status).sort()
  const admin = { type: "user" as const, id: "user_admin" }

  it("eleven refunds of 90.00 at once on one payment: one is below the threshold of 100.00, all others wait", async () => {
    const owner = await owned({ refund_approval_threshold_minor: 10_000 })
    const { transaction_id } = await paid(owner)
    const answers = await Promise.all(
      Array.from({ length: 11 }, () => refund(owner, transaction_id, { refund_amount: "90.00" }))
    )
    expect(states(answers)).toEqual([...Array<string>(10).fill("pending"), "processing"])
  })

  it("what an admin approved, rejected or what was cancelled counts no more; what waits does", async () => {
    const owner = await owned({ refund_approval_threshold_minor: 10_000 })
    const { transaction_id } = await paid(owner)
    const ask = async (refund_amount: string) => refundData(await refund(owner, transaction_id, { refund_amount }))
    const large = await ask("100.01")
    expect([large.refund_status, (await ask("1.00")).refund_status]).toEqual(["pending", "pending"])
    await gatewayOf(store).refunds.approve({ ...tenant(owner), actor: admin }, large.refund_id, null)
    const within = await ask("99.00")
    expect(within.refund_status).toBe("processing")
    const beyond = await ask("0.01")
    expect(beyond.refund_status).toBe("pending")
    await gatewayOf(store).refunds.reject({ ...tenant(owner), actor: admin }, beyond.refund_id, null)
  })

  it("items of one batch count together, on one payment and in the day's sum", async () => {
    const owner = await owned({ refund_approval_threshold_minor: 10_000, refund_daily_limit_minor: 25_000 })
    const [one, two] = [await paid(owner), await paid(owner)]
    const item = ({ transaction_id }: typeof one) => ({ transaction_id, refund_amount: "90.00", refund_reason: "x" })
    const lines = [one, one, two, two].map(({ transaction_id }) => ({ transaction_id, amount: 9_000n, reason: "x" }))
    const previewed = await gatewayOf(store).refundPreviews.batch(tenant(owner), lines, "user_admin")
    expect(previewed.map((line) => "waits" in line && line.waits)).toEqual([false, true, true, true])
    const { refunds } = refundData(
      await owner.call("POST", "/payments/refunds/batch", { refunds: [one, one, two, two].map(item) })
    )
    const held = await store
      .db("gateway_refund")
      .whereIn(
        "id",
        refunds.map(({ refund_id }) => refund_id)
      )
      .orderBy("batch_position")
      .pluck("held_for")
    expect(held).toEqual(["batch", "approval", "approval", "approval"])
  })

  it("the day's sum is the merchant's, over many payments and requested at once", async () => {
    const owner = await owned({ refund_daily_limit_minor: 25_000 })
    const payments = await Promise.all(Array.from({ length: 6 }, () => paid(owner)))
    const answers = await Promise.all(
      payments.map(({ transaction_id }) => refund(owner, transaction_id, { refund_amount: "100.00" }))
    )
    expect(states(answers)).toEqual(["pending", "pending", "pending", "pending", "processing", "processing"])
  })

  it("a key has a sum of its own; the next day begins anew, at midnight of the merchant's time zone", async () => {
    const owner = await owned({ refund_daily_key_limit_minor: 15_000 })
    const { key } = await gatewayOf(store).apiKeys.create({ ...tenant(owner), name: "second" })
    const second = new ApiMerchant(store, owner.id, key, owner.options)
    // 18:00 UTC is midnight in Dhaka.
    const midnight = new Date()
    midnight.setUTCHours(42, 0, 0, 0)
    const before = (minutes: number) =>
      owner.call("POST", "/sandbox/clock", { now: new Date(midnight.getTime() - minutes * 60_000).toISOString() })
    await before(120)
    const payments = await Promise.all(Array.from({ length: 5 }, () => paid(owner)))
    const ask = async (by: ApiMerchant, index: number) =>
      refundData(await refund(by, payments[index].transaction_id, { refund_amount: "100.00" })).refund_status
    expect([await ask(owner, 0), await ask(owner, 1), await ask(second, 2)]).toEqual([
      "processing",
      "pending",
      "processing",
    ])
    await before(5)
    expect(await ask(owner, 3)).toBe("pending")
    await before(0)
    expect(await ask(owner, 4)).toBe("processing")
  })
})

describe("decisions: Refunds — above the merchant's threshold a refund waits for an admin", () => {
  let owner: ApiMerchant
  const admin = () => ({ ...tenant(owner), actor: { type: "user" as const, id: "user_admin" } })
  beforeAll(async () => {
    owner = await newMerchant(store)
    await gatewayOf(store).merchants.configure(tenant(owner), { refund_approval_threshold_minor: 50_000 })
  })

  async function held(amount = "500.01") {
    const { transaction_id } = await paid(owner)
    return refundData(await refund(owner, transaction_id, { refund_amount: amount }))
  }

  it("at the threshold none does; above it the refund is pending and only initiated", async () => {
    expect((await held("500.00")).refund_status).toBe("processing")
    const { refund_id, refund_status } = await held()
    expect([refund_status, (await status(owner, refund_id)).refund_status]).toEqual(["pending", "pending"])
    expect((await refundEvents(owner, refund_id)).map(({ event_type }) => event_type)).toEqual(["refund.initiated"])
    expect(await store.db("gateway_sandbox_operation").where({ key: refund_id })).toEqual([])
  })

  it("a pending refund counts in the sum", async () => {
    const { transaction_id } = await held()
    expect(brief(await refund(owner, transaction_id, { refund_amount: "500.00" }))).toBe(
      "400 REFUND_EXCEEDED refund_amount"
    )
    expect(brief(await refund(owner, transaction_id, { refund_amount: "499.99" }))).toBe("200")
    expect(brief(await refund(owner, transaction_id))).toBe("409 ALREADY_REFUNDED")
    expect((await owner.verified(transaction_id)).status).toBe("SUCCESS")
  })

  it("approved it goes back, once", async () => {
    const { refund_id, transaction_id } = await held("1000.00")
    expect(await gatewayOf(store).refunds.approve(admin(), refund_id, "seen")).toMatchObject({
      state: "completed",
      reviewed_by: "user_admin",
      review_note: "seen",
    })
    await expect(gatewayOf(store).refunds.approve(admin(), refund_id, "seen")).rejects.toMatchObject({
      code: "INVALID_STATE_TRANSITION",
    })
    await expect(gatewayOf(store).refunds.reject(admin(), refund_id, "seen")).rejects.toMatchObject({
      code: "INVALID_STATE_TRANSITION",
    })
    expect((await refundEvents(owner, refund_id)).map(({ event_type }) => event_type)).toEqual([
      "refund.initiated",
      "refund.processing",
      "refund.completed",
    ])
    expect((await owner.verified(transaction_id)).status).toBe("REFUNDED")
  })

  it("rejected it is cancelled, and its amount can be refunded again", async () => {
    const { refund_id, transaction_id } = await held()
    expect((await gatewayOf(store).refunds.reject(admin(), refund_id, "seen")).state).toBe("cancelled")
    expect(
      (await refundEvents(owner, refund_id)).map(({ event_type, data }) => [event_type, data.remaining_amount])
    ).toEqual([
      ["refund.initiated", "499.99"],
      ["refund.cancelled", "1000.00"],
    ])
    expect((await transaction(transaction_id)).refunded_minor).toBe(0)
  })

  it("contract 4.8 — POST .../cancel: the merchant cancels a pending one; processing ones cannot be stopped", async () => {
    const { refund_id, transaction_id } = await held()
    const answer = await owner.call("POST", `/payments/refund/${refund_id}/cancel`)
    expect(answer.body).toEqual({
      success: true,
      message: expect.any(String),
      data: { refund_id, refund_status: "cancelled" },
    })
    expect((await transaction(transaction_id)).refunded_minor).toBe(0)
    expect(brief(await owner.call("POST", `/payments/refund/${refund_id}/cancel`))).toBe("409 INVALID_STATE_TRANSITION")
    const delayed = refundData(await refund(owner, (await paid(owner, "100.01", DELAYED)).transaction_id))
    expect(brief(await owner.call("POST", `/payments/refund/${delayed.refund_id}/cancel`))).toBe(
      "409 INVALID_STATE_TRANSITION"
    )
    expect((await status(owner, delayed.refund_id)).refund_status).toBe("processing")
  })

  it("approve, reject and cancel at the same time: one of them wins", async () => {
    const { refunds } = gatewayOf(store)
    const endings: string[] = []
    for (let round = 0; round < 12; round++) {
      const { refund_id, transaction_id } = await held("1000.00")
      const steps = [
        () => refunds.approve(admin(), refund_id, "seen"),
        () => refunds.reject(admin(), refund_id, "seen"),
        () => refunds.cancel(admin(), refund_id),
      ]
      const rotated = steps.map((_, index) => steps[(index + round) % steps.length])
      const outcomes = await Promise.allSettled(rotated.map((step) => step()))
      const [{ state }] = await refunds.list(transaction_id)
      endings.push(state)
      expect(outcomes.filter(({ status: outcome }) => outcome === "fulfilled")).toHaveLength(1)
      expect((await transaction(transaction_id)).refunded_minor).toBe(state === "completed" ? 100_000 : 0)
      expect(await store.db("gateway_sandbox_operation").where({ key: refund_id })).toHaveLength(
        state === "completed" ? 1 : 0
      )
    }
    expect(endings.every((state) => state === "completed" || state === "cancelled")).toBe(true)
  })
})
