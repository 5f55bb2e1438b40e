import { presentReserved } from "./captures"
import { presentReview, presentUnresolved } from "./review"
import { type EmiPlan, paymentsOf } from "../../../../../modules/gateway/emi/plan"
import type { OrderItem } from "../../../../../modules/gateway/acquirers/order"
import type { ListedDispute } from "../../../../../modules/gateway/disputes/list"
import { formatAmount, type Minor, parseAmount } from "../../../../../modules/gateway/kernel/money/money"
import { publicStatus } from "../../../../../modules/gateway/payments/states"
import type { PaymentNote, PaymentTimeline, TimelineRefund } from "../../../../../modules/gateway/payments/timeline"
import { type Names, presentMessageOrNull } from "../../../../admin-kit/present"
import { timelineOf } from "./timeline"

/**
 * A payment's page. `now` is on the merchant's clock; `names`: of the admins who decided; `disputes`: those that the
 * admin may see; `owed`: what the order allows to be captured in all (null: no order).
 */
export function presentTimeline(
  timeline: PaymentTimeline,
  now: Date,
  names: Names = new Map(),
  disputes: readonly ListedDispute[] = [],
  owed: Minor | null = null
) {
  const { record, completion } = timeline
  const reserved = presentReserved(timeline.reserved, names, now, owed)
  return {
    id: record.transaction_id,
    session_id: record.session_id,
    merchant_id: record.merchant_id,
    environment: record.environment,
    order_id: record.order_id,
    order_number: record.order_number,
    status: publicStatus(record.state, record.expires_at, now),
    processing: record.state === "PROCESSING",
    held: record.state === "HELD",
    authorized: record.state === "AUTHORIZED",
    reserved,
    capturable_amount: reserved?.capturable_amount ?? null,
    review: presentReview(timeline, names),
    unresolved: presentUnresolved(timeline),
    currency: record.currency,
    amount: formatAmount(record.amount_minor),
    charge_amount: formatAmount(record.state === "AUTHORIZED" ? 0 : record.charge_minor),
    refunded_amount: formatAmount(record.refunded_minor - record.waiting_minor),
    waiting_amount: formatAmount(record.waiting_minor),
    payment_method: record.payment_method,
    payment_service: record.payment_service,
    instrument: record.instrument,
    acquirer: record.acquirer,
    acquirer_reference: record.acquirer_reference,
    charge_reference: record.acquirer_ids?.charge ?? null,
    error_code: record.error_code,
    error_message: record.error_message,
    description: record.description,
    customer: record.customer,
    items: (record.items ?? []).map(presentItem),
    metadata: record.metadata,
    source: record.source,
    urls: { success: record.success_url, fail: record.fail_url, cancel: record.cancel_url, ipn: record.ipn_url },
    created_at: record.opened_at,
    expires_at: record.expires_at,
    finished_at: record.finished_at,
    cart: completion && {
      id: completion.cart_id,
      state: completion.state,
      order_id: completion.order_id,
      last_error: presentMessageOrNull(completion.last_error),
    },
    refunds: timeline.refunds.map(presentRefund),
    timeline: timelineOf(timeline, disputes),
  }
}

/** As the merchant has sent it: the amount of the line, or what its unit price makes; null: it has none. */
function presentItem({ product_name, sku, quantity, unit_price, net_amount }: OrderItem) {
  const unit = parseAmount(unit_price)
  const amount = parseAmount(net_amount) ?? (unit === null ? null : unit * BigInt(quantity ?? 1))
  return {
    name: product_name || sku || "",
    sku: sku || null,
    quantity: quantity ?? 1,
    unit_price: unit === null ? null : formatAmount(unit),
    amount: amount === null ? null : formatAmount(amount),
  }
}

export function presentNote({ id, text, actor_id, created_at }: PaymentNote, names: Names) {
  return { id, text, by: actor_id, by_name: names.get(actor_id) ?? actor_id, created_at }
}

function presentRefund({ amount_minor, state, amount_mismatch: _mismatch, ...refund }: TimelineRefund) {
  return { ...refund, status: state, amount: formatAmount(amount_minor) }
}

/**
 * The plan in which a payment is paid back to the bank. Amounts are decimal text. The bank takes its fee with the first
 * instalment: `first_payment` and the first entry of `schedule` include it, and `total_with_fee` is the sum of the
 * schedule.
 */
export function presentEmiPlanInFull(plan: EmiPlan) {
  const { first_minor, monthly_minor, with_fee_minor, merchant_cost_minor } = paymentsOf(plan)
  return {
    bank: plan.bank_name,
    months: plan.tenure_months,
    first_payment: formatAmount(first_minor),
    monthly_installment: formatAmount(monthly_minor),
    interest: formatAmount(plan.interest_minor),
    fee: formatAmount(plan.fee_minor),
    total_with_fee: formatAmount(with_fee_minor),
    merchant_absorbs: plan.merchant_absorbs,
    merchant_cost: formatAmount(merchant_cost_minor),
    schedule: plan.schedule.map(({ installment, due_month, amount_minor }, index) => ({
      installment,
      due_month,
      amount: formatAmount(index === 0 ? first_minor : amount_minor),
    })),
  }
}
