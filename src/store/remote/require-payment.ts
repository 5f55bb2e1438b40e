import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { TransactionStatus } from "../../modules/gateway/payments/states"
import type GatewayModuleService from "../../modules/gateway/service"
import type { RemotePayment } from "../../modules/gateway/payments/remote-payments"
import { toMinor } from "../../providers/gateway-payment/amount"
import { withMedusaErrors } from "../../providers/gateway-payment/errors"
import { askStatus } from "../../providers/gateway-payment/remote/session"
import type { RemoteGateway } from "../../providers/gateway-payment/remote/client"
import { askWithinLimits } from "./ask-within-limits"
import { isMoneyGoingBack } from "./money-going-back"
import { visitorAddress } from "./visitor"

type Cart = { raw_total: BigNumberInput; currency_code: string }
type Session = { id: string; provider_id: string; status: string }

/**
 * No cart becomes an order unless the other deployment has the money of its payment session, exactly, at this moment:
 * Medusa does not compare the two, and an authorised payment may have been given back since.
 */
export async function requireRemotePayment(
  container: MedusaContainer,
  remote: RemoteGateway,
  { cart, session }: { cart: Cart; session: Session }
): Promise<void> {
  const { PAYMENT_AUTHORIZATION_ERROR, PAYMENT_REQUIRES_MORE_ERROR, NOT_ALLOWED } = MedusaError.Types
  const { remotePayments } = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const payment = await remotePayments.ofPaymentSession(session.id)
  if (payment === null || payment.provider_id !== session.provider_id) {
    throw new MedusaError(PAYMENT_AUTHORIZATION_ERROR, "The payment session has no checkout")
  }
  const status = await withMedusaErrors(() => decidedStatus(container, remote, payment, session))
  if (status === "PENDING") {
    throw new MedusaError(PAYMENT_REQUIRES_MORE_ERROR, "The cart is not paid yet: send the shopper to the checkout_url")
  }
  if (status !== "SUCCESS") {
    throw new MedusaError(PAYMENT_AUTHORIZATION_ERROR, "The payment did not succeed; make a new payment session")
  }
  if (await isMoneyGoingBack(container, payment)) {
    throw new MedusaError(NOT_ALLOWED, "The money of this payment is going back: it pays for no order")
  }
  if (
    payment.currency !== cart.currency_code.toUpperCase() ||
    BigInt(payment.amount_minor) !== toMinor(cart.raw_total)
  ) {
    throw new MedusaError(NOT_ALLOWED, "The amount that was paid is not the cart's total")
  }
}

/**
 * Medusa gives a captured payment back whenever its cart cannot be completed. The reason may be that the other deployment
 * does not answer: that is recorded for the provider, which then refuses the refund (providers/.../remote/refund.ts).
 */
async function decidedStatus(
  container: MedusaContainer,
  remote: RemoteGateway,
  payment: RemotePayment,
  session: Session
): Promise<TransactionStatus> {
  const { remotePayments } = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  try {
    const status = await statusNow(container, remote, payment, session)
    await remotePayments.decided(payment.id)
    return status
  } catch (error) {
    if (GatewayError.is(error) && error.code === "SERVICE_UNAVAILABLE") {
      await remotePayments.undecided(payment.id)
    }
    throw error
  }
}

/** Anybody may complete a cart, so requests about one that is not known to be paid are limited. */
async function statusNow(
  container: MedusaContainer,
  remote: RemoteGateway,
  payment: RemotePayment,
  session: Session
): Promise<TransactionStatus> {
  const ask = () => askStatus({ gateway: container.resolve<GatewayModuleService>(GATEWAY_MODULE), remote }, payment)
  if (payment.status === "SUCCESS" || session.status === "authorized") {
    return ask()
  }
  return payment.status === "PENDING"
    ? ((await askWithinLimits(container, { payment, remote }, visitorAddress(), ask)) ?? "PENDING")
    : payment.status
}
