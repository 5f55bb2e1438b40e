import { done, moved, ScriptedAcquirer, servicesWith, unknown } from "../support/acquirer"
import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { expectLoggedErrors } from "../support/logged-errors"
import { useStore } from "../support/store"

expectLoggedErrors(/the acquirer reports .* instead of .* for the refund .*; it stays open/)

const store = useStore()

const row = (id: string) => store.db("gateway_transaction").where({ id }).first()
const types = async (owner: ApiMerchant, id: string) => (await owner.events(id)).map(({ event_type }) => event_type)
const PAGE = "https://pay.example.com/pay/x"
const CARD = { method: "card", card: { number: "4242424242424242" } } as const

describe("design: unknown is not failed — a refund that is not finished", () => {
  const wanted = (transaction_id: string) => ({
    transaction_id,
    reason: "test",
    requested_by: "test",
    request_key: "one",
  })

  it("decisions: Sandbox — the delayed card's refund completes after 24 hours on the clock, is counted once and has one event", async () => {
    const owner = await newMerchant(store)
    const { session_id, transaction_id } = await owner.open()
    await owner.pay(session_id, { payment_method: "card", card_number: "4000000000007734" })
    const refund = await gatewayOf(store).refunds.create(wanted(transaction_id))
    expect(refund.state).toBe("processing")
    await owner.advance(86_000)
    expect(await owner.verified(transaction_id)).toMatchObject({ status: "SUCCESS", verified: true })
    expect((await owner.advance(400)).body.data.processed).toMatchObject({ reconciled_refunds: 1 })
    expect(await owner.verified(transaction_id)).toMatchObject({ status: "REFUNDED", verified: true })
    expect((await types(owner, refund.id)).sort()).toEqual([
      "refund.completed",
      "refund.initiated",
      "refund.processing",
    ])
  })

  it.each([
    ["it is done", done, "completed", "REFUNDED"],
    ["it was refused", () => ({ result: "refused", code: "NO", message: "No" }) as const, "failed", "SUCCESS"],
  ])("the acquirer is asked again until it knows: %s", async (_name, final, state, status) => {
    const owner = await newMerchant(store)
    const absent = () => ({ result: "absent" }) as const
    const acquirer = new ScriptedAcquirer("inline", [done], [absent], [unknown, unknown, absent, final])
    const { payments, refunds, refundReconciliation } = servicesWith(store, "sandbox", acquirer)
    const { session_id, transaction_id } = await owner.open()
    await payments.pay({ session_id, instrument: CARD, page_url: PAGE })
    const { id } = await refunds.create(wanted(transaction_id))
    const due = async () => ({ merchant_id: owner.id, until: (await refundReconciliation.nextDue(owner.id)) as Date })
    expect(await refundReconciliation.run(50, await due())).toBe(1)
    expect((await refunds.list(transaction_id))[0].state).toBe("processing")
    expect(await refundReconciliation.run(50, await due())).toBe(1)
    expect(acquirer.refunds).toEqual([`asked for ${id}`, `asked about ${id}`, `asked about ${id}`, `asked for ${id}`])
    expect((await refunds.list(transaction_id))[0].state).toBe(state)
    expect((await owner.verified(transaction_id)).status).toBe(status)
    expect((await row(transaction_id)).refunded_minor).toBe(state === "completed" ? 125_050 : 0)
    expect(await refundReconciliation.nextDue(owner.id)).toBeNull()
  })

  it("acquirers: of another amount than was asked for it stays processing and reserved, is not asked for again, alarms once, and ends when the acquirer has corrected it", async () => {
    const owner = await newMerchant(store)
    const wrong = moved(10_000n)
    const absent = () => ({ result: "absent" }) as const
    const lost = () => ({ result: "refused", code: "NETWORK_ERROR", message: "No line", retry: true }) as const
    const acquirer = new ScriptedAcquirer("inline", [done], [absent], [() => wrong, () => wrong, absent, lost, done])
    const { payments, refunds } = servicesWith(store, "sandbox", acquirer)
    const { session_id, transaction_id } = await owner.open()
    await payments.pay({ session_id, instrument: CARD, page_url: PAGE })
    const { id, state } = await refunds.create(wanted(transaction_id))
    expect(state).toBe("processing")
    const asked = [await refunds.inquire(id), await refunds.inquire(id), await refunds.inquire(id)]
    expect(asked).toMatchObject(Array(3).fill({ state: "processing", acquirer_reference: null }))
    expect(acquirer.refunds).toEqual([`asked for ${id}`, ...Array(3).fill(`asked about ${id}`)])
    expect([(await row(transaction_id)).refunded_minor, await types(owner, id)]).toEqual([
      125_050,
      expect.not.arrayContaining(["refund.completed", "refund.failed"]),
    ])
    expect(await store.db("gateway_audit_entry").where({ resource_id: id }).orderBy("number")).toMatchObject([
      { action: "refund.requested" },
      {
        action: "refund.amount_mismatched",
        actor_type: "system",
        changes: { amount: { from: "1250.50", to: "100.00" }, reference: { from: null, to: wrong.reference } },
      },
    ])
    expect(await refunds.inquire(id)).toMatchObject({ state: "completed" })
    expect((await owner.verified(transaction_id)).status).toBe("REFUNDED")
  })
})
