import { isDeepStrictEqual } from "node:util"
import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import { paymentsOf, type EmiPlan } from "../../modules/gateway/emi/plan"
import { formatAmount } from "../../modules/gateway/kernel/money/money"

/** The member of an order's metadata that says how it is paid in instalments: for order pages, mails and documents. */
export const EMI_MARK = "gateway_emi"

/** The accepted plan. Amounts are taka as text; the first payment includes the bank's fee (decisions: EMI). */
type EmiMark = {
  bank: string
  /** Months, as text. */
  tenure: string
  first_payment: string
  monthly_installment: string
  last_installment: string
  fee: string
  /** Price and interest (contract 2.8). */
  total_amount: string
  /** Everything that the customer pays. */
  total_with_fee: string
}

export function emiMark(plan: EmiPlan): EmiMark {
  const { first_minor, monthly_minor, last_minor, with_fee_minor } = paymentsOf(plan)
  return {
    bank: plan.bank_name,
    tenure: String(plan.tenure_months),
    first_payment: formatAmount(first_minor),
    monthly_installment: formatAmount(monthly_minor),
    last_installment: formatAmount(last_minor),
    fee: formatAmount(plan.fee_minor),
    total_amount: formatAmount(plan.total_minor),
    total_with_fee: formatAmount(with_fee_minor),
  }
}

/**
 * Writes the plan on a paid cart; Medusa copies a cart's metadata to its order, before it announces the order. Shoppers
 * may write a cart's metadata at any time: a plan that the gateway does not know is removed.
 */
export async function markCartWithPlan(
  container: MedusaContainer,
  { cart_id, transaction_id }: { cart_id: string; transaction_id: string }
): Promise<void> {
  const mark = await markOf(container, transaction_id)
  const carts = container.resolve(Modules.CART)
  const { metadata } = await carts.retrieveCart(cart_id, { select: ["id", "metadata"] })
  if (differs(metadata, mark)) {
    await carts.updateCarts(cart_id, { metadata: { ...metadata, [EMI_MARK]: mark } })
  }
}

/** A storefront may have completed the cart itself, without the plan on it or with an invented one. */
export async function markOrderWithPlan(
  container: MedusaContainer,
  { order_id, transaction_id }: { order_id: string; transaction_id: string }
): Promise<void> {
  const mark = await markOf(container, transaction_id)
  const orders = container.resolve(Modules.ORDER)
  const { metadata } = await orders.retrieveOrder(order_id, { select: ["id", "metadata"] })
  if (differs(metadata, mark)) {
    await orders.updateOrders(order_id, { metadata: { ...metadata, [EMI_MARK]: mark } })
  }
}

/** Null in the metadata is no plan, as is its absence. */
function differs(metadata: Record<string, unknown> | null | undefined, mark: EmiMark | null): boolean {
  return !isDeepStrictEqual(metadata?.[EMI_MARK] ?? null, mark)
}

async function markOf(container: MedusaContainer, transaction_id: string): Promise<EmiMark | null> {
  const plan = await gatewayIn(container).emi.planOf(transaction_id)
  return plan === null ? null : emiMark(plan)
}
