import { gatewayOf } from "../support/api"
import { paid, refund, refundData, DELAYED, FAILS } from "../support/refunds"
import { useStore } from "../support/store"
import { PRODUCTION } from "../support/store-options"
import { sandbox, ledgerIn } from "../support/ledger"
import { DAY } from "../support/subscriptions"

/** A production deployment, which also serves its merchants' sandbox. */
const store = useStore({ production: true, env: PRODUCTION })
const { sandboxMerchant, balances } = ledgerIn(store)

const entriesOf = (transaction_id: string) =>
  store.db("gateway_ledger_entry").where({ transaction_id }).orderBy("id").select("kind", "account", "amount_minor")

describe("decisions: Refunds — every change of money is a posting that sums to zero", () => {
  it("a payment: the acquirer holds it, the merchant has it without the fee", async () => {
    const owner = await sandboxMerchant()
    const { transaction_id } = await paid(owner)
    expect(await entriesOf(transaction_id)).toEqual([
      { kind: "payment", account: "acquirer_clearing", amount_minor: "-100000" },
      { kind: "payment", account: "fees", amount_minor: "2500" },
      { kind: "payment", account: "merchant_balance", amount_minor: "97500" },
    ])
    expect(await balances(owner)).toEqual([97_500, -100_000, 2_500, 0, 0])
  })

  it("what was not paid is in no account", async () => {
    const owner = await sandboxMerchant()
    const { session_id } = await owner.open({ order_amount: "300.00" })
    await owner.pay(session_id)
    await owner.open()
    expect(await balances(owner)).toEqual([0, 0, 0, 0, 0])
  })

  it("a refund takes from the balance when it is accepted, and from the acquirer when it is done; the fee stays", async () => {
    const owner = await sandboxMerchant()
    const { transaction_id } = await paid(owner, "1000.00", DELAYED)
    await refund(owner, transaction_id, { refund_amount: "400.00" })
    expect(await balances(owner)).toEqual([57_500, -100_000, 2_500, 40_000, 0])
    await owner.advance(DAY)
    expect(await balances(owner)).toEqual([57_500, -60_000, 2_500, 0, 0])
    await refund(owner, transaction_id)
    await owner.advance(DAY)
    expect(await balances(owner)).toEqual([-2_500, 0, 2_500, 0, 0])
  })

  it("one that fails, is cancelled or rejected gives it back", async () => {
    const owner = await sandboxMerchant()
    await refund(owner, (await paid(owner, "1000.00", FAILS)).transaction_id)
    expect(await balances(owner)).toEqual([97_500, -100_000, 2_500, 0, 0])
    await gatewayOf(store).merchants.configure(sandbox(owner), { refund_approval_threshold_minor: 0 })
    const held = refundData(await refund(owner, (await paid(owner)).transaction_id))
    expect(await balances(owner)).toEqual([95_000, -200_000, 5_000, 100_000, 0])
    await gatewayOf(store).refunds.reject(sandbox(owner), held.refund_id, null)
    expect(await balances(owner)).toEqual([195_000, -200_000, 5_000, 0, 0])
  })
})
