import type { MedusaContainer } from "@medusajs/framework/types"
import type { PaymentOutcome, PaymentRecord } from "../../modules/gateway/payments/records"
import { completePaidCart } from "./complete-paid-cart"
import { notifyPaymentSessionSoon } from "./notify-payment-session"

/**
 * Order before redirect: before the shopper goes anywhere, a paid cart has its order, and an unpaid one's payment
 * session knows why. Whatever fails here is done later by a task; the payment's outcome stands.
 */
export async function afterPayment<Outcome extends PaymentOutcome>(
  container: MedusaContainer,
  { source, session_id }: Pick<PaymentRecord, "source" | "session_id">,
  outcome: Outcome
): Promise<Outcome> {
  if (source !== "cart") {
    return outcome
  }
  if (outcome.status === "SUCCESS") {
    await completePaidCart(container, outcome.transaction_id, { justPaid: true })
  } else if (outcome.status !== "PENDING") {
    await notifyPaymentSessionSoon(container, session_id)
  }
  return outcome
}
