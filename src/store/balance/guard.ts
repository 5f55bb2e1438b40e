import type { MedusaContainer } from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { readBalance } from "./outstanding"

/**
 * Before any money moves for the balance of an order: compares the checkout with what is outstanding. One that asks for
 * another sum is ended, and its link's page asks for the new one. The caller holds the order's lock. Throws CART_CHANGED,
 * and INVALID_STATE_TRANSITION while another payment of the balance settles.
 */
export async function requireSameBalance(container: MedusaContainer, session_id: string): Promise<void> {
  const { transactions, payments, orderBalances } = gatewayIn(container)
  const record = await transactions.bySession(session_id)
  const { store_order_id, transaction_id, state } = record
  if (store_order_id === null || state !== "OPEN") {
    // Paid, or being paid: paying says so.
    return
  }
  // Asked first: what is read of the order afterwards has every payment that this one does not wait for.
  if (await orderBalances.isSettling(store_order_id, transaction_id)) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.balance_settling"))
  }
  if (!(await isStillDue(container, record, store_order_id))) {
    await payments.expireNow(session_id)
    throw new GatewayError("CART_CHANGED", messageOf("refusal.balance_changed"))
  }
}

async function isStillDue(container: MedusaContainer, record: PaymentRecord, order_id: string): Promise<boolean> {
  const found = await readBalance(container, order_id)
  return (
    found !== null &&
    !found.isCancelled &&
    found.due === BigInt(record.amount_minor) &&
    found.order.currency_code.toUpperCase() === record.currency
  )
}
