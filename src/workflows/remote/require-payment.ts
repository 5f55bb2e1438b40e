import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { MedusaError, Modules } from "@medusajs/framework/utils"
import { formatAmount } from "../../modules/gateway/domain/money"
import { toMinor } from "../../providers/gateway-payment/amount"
import { speakingMedusa } from "../../providers/gateway-payment/errors"
import { askStatus } from "../../providers/gateway-payment/remote/ask"
import type { RemoteGateway } from "../../providers/gateway-payment/remote/client"
import { readSessionData } from "../../providers/gateway-payment/remote/session"

type Cart = { completed_at: Date | null; raw_total: BigNumberInput; currency_code: string }

/**
 * No cart becomes an order unless the other deployment has its money, exactly, at this moment: Medusa does not compare
 * the two, and an authorised payment may have been given back since.
 */
export async function requireRemotePayment(
  container: MedusaContainer,
  remote: RemoteGateway,
  { cart, session }: { cart: Cart; session: { id: string; status: string } }
): Promise<void> {
  if (cart.completed_at !== null && session.status === "authorized") {
    // The cart has its order, and this run only looks it up.
    return
  }
  const { PAYMENT_AUTHORIZATION_ERROR, PAYMENT_REQUIRES_MORE_ERROR, NOT_ALLOWED } = MedusaError.Types
  const { data: kept } = await container.resolve(Modules.PAYMENT).retrievePaymentSession(session.id)
  const known = readSessionData(kept)
  if (known === null) {
    throw new MedusaError(PAYMENT_AUTHORIZATION_ERROR, "The payment session has no checkout")
  }
  const data = await speakingMedusa(() => askStatus(remote, known))
  if (data.status === "PENDING") {
    throw new MedusaError(PAYMENT_REQUIRES_MORE_ERROR, "The cart is not paid yet: send the shopper to the checkout_url")
  }
  if (data.status !== "SUCCESS") {
    throw new MedusaError(PAYMENT_AUTHORIZATION_ERROR, "The payment did not succeed; make a new payment session")
  }
  if (data.currency !== cart.currency_code.toUpperCase() || data.amount !== formatAmount(toMinor(cart.raw_total))) {
    throw new MedusaError(NOT_ALLOWED, "The amount that was paid is not the cart's total")
  }
}
