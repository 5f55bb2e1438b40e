import { newAttemptId } from "../../src/modules/gateway/kernel/text/ids"
import { done, moved, ScriptedAcquirer, servicesWith, unknown } from "../support/acquirer"
import { brief, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { crashedPayment } from "../support/crashed-payment"
import { useStore } from "../support/store"

const store = useStore()

const row = (id: string) => store.db("gateway_transaction").where({ id }).first()
const attempt = (transaction_id: string) => store.db("gateway_payment_attempt").where({ transaction_id }).first()
const types = async (owner: ApiMerchant, id: string) => (await owner.events(id)).map(({ event_type }) => event_type)
const PAGE = "https://pay.example.com/pay/x"
const CARD = { method: "card", card: { number: "4242424242424242" } } as const
const crashed = (owner: ApiMerchant, asked: boolean, changes?: Record<string, unknown>) =>
  crashedPayment(store, owner, asked, changes)

describe("design: unknown is not failed — a payment of unknown outcome", () => {
  it("stays PENDING, past its 30 minutes too, and can neither be paid nor cancelled", async () => {
    const owner = await newMerchant(store)
    const { transaction_id, session_id } = await crashed(owner, true)
    await store
      .db("gateway_merchant_environment")
      .where({ merchant_id: owner.id })
      .andWhere({ environment: "sandbox" })
      .update({ clock_offset_seconds: 4_000 })
    await gatewayOf(store).sessionExpiry.run(500)
    expect(await owner.verified(transaction_id)).toMatchObject({
      status: "PENDING",
      verified: false,
      charge_amount: "0.0000",
    })
    expect(brief(await owner.pay(session_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect(brief(await owner.cancel(session_id))).toBe("409 INVALID_STATE_TRANSITION")
    expect(await owner.events(transaction_id)).toEqual([])
  })

  it.each([
    ["with the charge in the acquirer's book it is SUCCESS", true, {}, "SUCCESS", "payment.succeeded"],
    ["with a refusal in the book it is FAILED", true, { order_amount: "300.00" }, "FAILED", "payment.failed"],
    ["without anything in the book it is FAILED: the acquirer was never asked", false, {}, "FAILED", "payment.failed"],
  ])("the reconciler settles it: %s, with one event", async (_name, asked, changes, status, event) => {
    const owner = await newMerchant(store)
    const { transaction_id } = await crashed(owner, asked, changes)
    const { reconciliation } = gatewayOf(store)
    await Promise.all([reconciliation.run(50), reconciliation.run(50), reconciliation.run(50)])
    expect(await owner.verified(transaction_id)).toMatchObject({ status, verified: status === "SUCCESS" })
    expect(await types(owner, transaction_id)).toEqual([event])
    await reconciliation.run(50)
    expect(await types(owner, transaction_id)).toEqual([event])
  })

  it("the clock's move settles it as well, and counts it", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await crashed(owner, true)
    expect((await owner.advance(600)).body.data.processed).toMatchObject({
      reconciled_payments: 1,
      expired_sessions: 0,
    })
    expect((await owner.verified(transaction_id)).status).toBe("SUCCESS")
  })

  it("an answer about an attempt that does not exist settles nothing", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await crashed(owner, true)
    // The references below are the test's own and not in the sandbox's book.
    await store.db("gateway_payment_attempt").where({ transaction_id }).update({ acquirer: "scripted" })
    const { settlement } = servicesWith(store, "sandbox", new ScriptedAcquirer("inline", [unknown]))
    await expect(settlement.settle(newAttemptId(), moved(125_050n))).rejects.toThrow("there is no payment attempt")
    expect([(await row(transaction_id)).state, await owner.events(transaction_id)]).toEqual(["PROCESSING", []])
    await settlement.settle((await row(transaction_id)).attempt_id, moved(125_050n))
    expect((await row(transaction_id)).state).toBe("SUCCESS")
  })

  it("an inquiry that is not due is not made", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await crashed(owner, true)
    await store
      .db("gateway_payment_attempt")
      .where({ transaction_id })
      .update({ inquiry_at: new Date(Date.now() + 60_000) })
    await gatewayOf(store).reconciliation.run(50)
    expect((await row(transaction_id)).state).toBe("PROCESSING")
  })

  it("the acquirer is asked after 5 minutes, 1 hour, then daily, until it knows", async () => {
    const owner = await newMerchant(store)
    const acquirer = new ScriptedAcquirer("inline", [unknown], [unknown, unknown, unknown, unknown, done])
    const { payments, reconciliation } = servicesWith(store, "sandbox", acquirer)
    const { session_id, transaction_id } = await owner.open()
    const outcome = await payments.pay({ session_id, instrument: CARD, page_url: PAGE })
    expect(outcome).toMatchObject({ status: "PENDING", redirect_url: PAGE, error_code: null })
    const started = (await attempt(transaction_id)).inquiry_at.getTime() - 300_000
    const due: number[] = []
    for (let round = 0; round < 5; round++) {
      const { inquiry_at } = await attempt(transaction_id)
      due.push(Math.round((inquiry_at.getTime() - started) / 1000))
      await reconciliation.run(50, { merchant_id: owner.id, until: inquiry_at })
    }
    expect(due).toEqual([300, 3_900, 90_300, 176_700, 263_100])
    expect(acquirer.started).toHaveLength(1)
    expect(acquirer.queried).toEqual(Array(5).fill((await row(transaction_id)).attempt_id))
    expect(await owner.verified(transaction_id)).toMatchObject({ status: "SUCCESS", verified: true })
    expect(await types(owner, transaction_id)).toEqual(["payment.succeeded"])
  })

  it("one that cannot be reconciled does not hold up the others", async () => {
    const owner = await newMerchant(store)
    const [lost, good] = [await crashed(owner, true), await crashed(owner, true)]
    await store
      .db("gateway_payment_attempt")
      .where({ transaction_id: lost.transaction_id })
      .update({ acquirer: "gone", inquiry_at: new Date(0) })
    await gatewayOf(store).reconciliation.run(50)
    expect([(await row(lost.transaction_id)).state, (await row(good.transaction_id)).state]).toEqual([
      "PROCESSING",
      "SUCCESS",
    ])
  })
})
