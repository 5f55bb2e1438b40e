import type { GatewayError } from "../../src/modules/gateway/kernel/errors"
import type { CheckoutOrder } from "../../src/modules/gateway/checkout/session-row"
import type { Tenant } from "../../src/modules/gateway/kernel/types"
import type { RefundBatch } from "../../src/modules/gateway/refunds/batches"
import { done, ScriptedAcquirer, servicesWith } from "./acquirer"
import type { AdminAnswer } from "./admin"
import { CUSTOMER, gatewayOf, newMerchant, orderId, type ApiMerchant } from "./api"
import type { Store } from "./store"

const BASE = "/sandbox/api/v2"
const PAGE = "https://pay.example.com/pay/x"

export const sandbox = (owner: ApiMerchant) => ({ merchant_id: owner.id, environment: "sandbox" as const })
export const production = (owner: ApiMerchant) => ({ merchant_id: owner.id, environment: "production" as const })
export const code = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: GatewayError) => error.code
  )
export const read = <Body>(answer: AdminAnswer) => answer.body as unknown as Body

/** What became of the items of a batch of refunds: the state of each refund, or the code of its refusal. */
export const outcomes = ({ items }: RefundBatch) =>
  items.map((item) => ("refund" in item ? item.refund.state : item.refused.code))

/** A checkout in any currency, which `/api/v2` takes in taka only. `amount`: hundredths. */
export function checkoutIn(store: Store, tenant: Tenant, currency: string, amount: bigint) {
  const order = {
    order_id: orderId(),
    currency,
    amount,
    success_url: PAGE,
    fail_url: PAGE,
    cancel_url: PAGE,
    ipn_url: null,
    description: null,
    customer: CUSTOMER,
    customer_phone: "",
    shipping: null,
    items: null,
    payment_info: null,
    metadata: null,
  } as unknown as CheckoutOrder
  return gatewayOf(store).checkouts.create({ ...tenant, now: new Date() }, order)
}

/** Money in a store that is a production deployment, which also serves its merchants' sandbox. */
export function ledgerIn(store: Store) {
  const sandboxMerchant = () => newMerchant(store, { base: BASE })
  const balances = async (owner: ApiMerchant, currency = "BDT") => {
    const tenant = owner.options.base === BASE ? sandbox(owner) : production(owner)
    const all = await gatewayOf(store).ledger.balances(tenant, currency)
    return [all.merchant_balance, all.acquirer_clearing, all.fees, all.refunds, all.payouts].map(Number)
  }

  /** A merchant with payments in production, by an acquirer of the test. */
  async function live(amounts: number[]) {
    const owner = await newMerchant(store, { environment: "production" })
    const services = servicesWith(store, "production", new ScriptedAcquirer("inline", [done], undefined, [done]))
    const pay = async (amount: number, currency = "BDT"): Promise<string> => {
      const session = await checkoutIn(store, production(owner), currency, BigInt(amount))
      await services.payments.pay({ session_id: session.session_id, page_url: PAGE, instrument: { method: "wallet" } })
      return session.transaction_id
    }
    const transactions: string[] = []
    for (const amount of amounts) {
      transactions.push(await pay(amount))
    }
    const wanted = (transaction_id: string, amount?: bigint) => ({
      transaction_id,
      amount,
      reason: "test",
      requested_by: "test",
      request_key: null,
    })
    /** A batch of refunds, each of a payment and an amount. */
    const giveAll = (items: [transaction_id: string, amount: bigint][], of = production(owner)) =>
      services.refundBatches.create(
        { ...of, now: new Date() },
        {
          items: items.map(([transaction_id, amount]) => ({ transaction_id, amount, reason: "test" })),
          requested_by: "test",
          idempotency_id: null,
        }
      )
    /** Nobody carries a batch out here: what is pending of it is cancelled. */
    const cancelAll = async ({ items }: RefundBatch) => {
      for (const item of items) {
        if ("refund" in item) {
          const { id, merchant_id, environment } = item.refund
          await services.refunds.cancel({ merchant_id, environment }, id)
        }
      }
    }
    return {
      owner,
      services,
      pay,
      transactions,
      giveAll,
      cancelAll,
      give: (id: string, amount?: bigint, more = {}) => services.refunds.create({ ...wanted(id, amount), ...more }),
    }
  }

  return { sandboxMerchant, balances, live }
}
