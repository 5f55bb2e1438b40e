import { processPaymentWorkflow } from "@medusajs/medusa/core-flows"
import type { MedusaContainer, PaymentSessionDTO } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, PaymentActions } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { formatAmount } from "../../modules/gateway/kernel/money"
import type { TransactionStatus } from "../../modules/gateway/payments/states"
import type GatewayModuleService from "../../modules/gateway/service"
import type { RemotePayment } from "../../modules/gateway/payments/remote-payments"
import { askStatus, ENDED } from "../../providers/gateway-payment/remote/session"
import type { RemoteGateway } from "../../providers/gateway-payment/remote/client"
import { isMoneyGoingBack } from "./money-going-back"
import { madeOrder, wholeOrder } from "./made-order"
import { remoteGatewayOf } from "./providers"

/** Statuses of a payment session whose payment's outcome is not recorded yet. */
export const OPEN_SESSIONS: readonly string[] = ["pending", "requires_more"]

/** A payment of another deployment whose payment session is one of this store's. */
export type FoundRemotely = { payment: RemotePayment; session: PaymentSessionDTO; remote: RemoteGateway }

/** `isOthers`: the order is paid by another payment than this one. */
export type SettledPayment = {
  status: TransactionStatus
  order_id: string | null
  cart_id: string | null
  isOthers?: boolean
}

/**
 * Asks the other deployment for the outcome of a payment, and acts on it: a paid cart gets its order (or, when none
 * can be made of it, Medusa gives the money back), and the payment session of an unpaid one says so. Errors of the
 * question are thrown; of the order, logged. `isLastTry`: an order that the try before left unfinished is not made again.
 */
export async function settleRemotePayment(
  container: MedusaContainer,
  found: FoundRemotely,
  { isLastTry = false }: { isLastTry?: boolean } = {}
): Promise<SettledPayment> {
  const { payment, session } = found
  const status = await askAndNotify(container, found)
  const cart_id = await cartOf(container, session)
  if (status !== "SUCCESS") {
    return { status, order_id: await wholeOrder(container, payment, cart_id), cart_id }
  }
  const { order_id, partial, isOthers } = await madeOrder(container, payment, cart_id)
  if (order_id !== null) {
    return { status, order_id, cart_id, isOthers }
  }
  const isTried = partial === "none" || (partial === "removed" && !isLastTry)
  if (!isTried || (await isMoneyGoingBack(container, payment))) {
    return { status: "PENDING", order_id, cart_id }
  }
  try {
    const input = {
      action: PaymentActions.SUCCESSFUL,
      data: { session_id: session.id, amount: formatAmount(payment.amount_minor) },
    }
    await processPaymentWorkflow(container).run({ input })
  } catch (error) {
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    logger.warn(
      `gateway: no order yet of the paid cart ${cart_id} (${payment.transaction_id}): ${(error as { message?: string }).message}`
    )
  }
  const made = await wholeOrder(container, payment, cart_id)
  const reached = made === null ? await statusWithoutOrder(container, session.id) : "SUCCESS"
  return { status: reached, order_id: made, cart_id }
}

/** What is known of a payment without a question. */
export async function knownSettlement(
  container: MedusaContainer,
  { payment, session }: Pick<FoundRemotely, "payment" | "session">
): Promise<SettledPayment> {
  const cart_id = await cartOf(container, session)
  const order_id = await wholeOrder(container, payment, cart_id)
  // Without an order the money is on its way back, or the order is still to come.
  const status = payment.status === "SUCCESS" && order_id === null ? "PENDING" : payment.status
  return { status, order_id, cart_id }
}

/** Null when the payment session is not paid in another deployment, or has no checkout there. */
export async function findRemotePayment(
  container: MedusaContainer,
  payment_session_id: string
): Promise<FoundRemotely | null> {
  const { remotePayments } = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const payment = await remotePayments.ofPaymentSession(payment_session_id)
  const remote = payment === null ? null : remoteGatewayOf(container, payment.provider_id)
  if (payment === null || remote === null) {
    return null
  }
  const [session] = await container.resolve(Modules.PAYMENT).listPaymentSessions({ id: [payment_session_id] })
  return session === undefined ? null : { payment, session, remote }
}

/** Without an order the money is on its way back, or the order is still to come. */
async function statusWithoutOrder(container: MedusaContainer, payment_session_id: string): Promise<TransactionStatus> {
  const found = await findRemotePayment(container, payment_session_id)
  const asked = found === null ? null : await askAndNotify(container, found)
  return asked === null || asked === "REFUNDED" ? "REFUNDED" : "PENDING"
}

/**
 * Medusa's subscriber ignores payments that came to nothing, so that is written on the payment session here; through
 * the provider, which asks again. Nothing else is: authorising may be writing to the session at this moment.
 */
async function askAndNotify(
  container: MedusaContainer,
  { payment, session, remote }: FoundRemotely
): Promise<TransactionStatus> {
  const status = await askStatus({ gateway: container.resolve<GatewayModuleService>(GATEWAY_MODULE), remote }, payment)
  if (ENDED.includes(status) && OPEN_SESSIONS.includes(session.status)) {
    const { id, currency_code, data } = session
    const [amount, context] = [formatAmount(payment.amount_minor), { idempotency_key: id }]
    await container.resolve(Modules.PAYMENT).updatePaymentSession({ id, amount, currency_code, data, context })
  }
  return status
}

async function cartOf(
  container: MedusaContainer,
  { payment_collection_id }: PaymentSessionDTO
): Promise<string | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "cart_payment_collection",
    fields: ["cart_id"],
    filters: { payment_collection_id },
  })
  return data[0]?.cart_id ?? null
}
