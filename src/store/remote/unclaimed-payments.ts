import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money"
import type { RemotePayment } from "../../modules/gateway/payments/remote-payments"
import type { TransactionStatus } from "../../modules/gateway/payments/states"
import type GatewayModuleService from "../../modules/gateway/service"
import type { RemoteGateway } from "../../providers/gateway-payment/remote/client"
import { refundRemotely } from "../../providers/gateway-payment/remote/refund"
import { askStatus, ENDED } from "../../providers/gateway-payment/remote/session"
import { orderOfCart } from "../../providers/gateway-payment/cart"
import { recordPayment } from "../cart/record-payment"
import { paymentOf } from "../refunds/medusa-payment"
import { isMoneyGoingBack } from "./money-going-back"

/** What a refund has for a request_key that no refund of Medusa stands behind. */
const UNCLAIMED_KEY = "unclaimed:"

export function isUnclaimedRefund({ request_key }: { request_key: string }): boolean {
  return request_key.startsWith(UNCLAIMED_KEY)
}

/**
 * Ends an unclaimed checkout that is unpaid, and gives the money of a paid one back, through the path of Medusa's own
 * refunds: noted, asked for under one key, and asked for again by a later run while its outcome is unknown. A refused
 * refund (no balance, a suspended merchant) gets a row and a key of its own at the next try: the other deployment would
 * answer the former key with the former refusal.
 */
export async function releaseUnclaimed(
  container: MedusaContainer,
  payment: RemotePayment,
  remote: RemoteGateway
): Promise<void> {
  const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  let status = await askStatus({ gateway, remote }, payment)
  if (status === "PENDING") {
    // One that is being paid at this moment is refused; what became of it is asked now and by a later run.
    await remote.expire(payment.session_id)
    status = await askStatus({ gateway, remote }, payment)
  }
  if (status === "SUCCESS" && !(await isGivenBackByMedusa(container, payment))) {
    status = await giveBack(container, payment, remote)
  }
  if (status === "REFUNDED" || ENDED.includes(status)) {
    await gateway.remotePayments.finish([{ id: payment.id, status }])
  }
}

/**
 * Gives back what was paid for a cart of which no order could be made: through Medusa where it has the payment, so that
 * it shows the refund. Does nothing when there is an order, or when money is on its way back already. To be called while
 * the cart is locked.
 */
export async function giveBackPaid(
  container: MedusaContainer,
  payment: RemotePayment,
  cart_id: string,
  remote: RemoteGateway
): Promise<void> {
  const order_id = await orderOfCart(container.resolve(ContainerRegistrationKeys.QUERY), cart_id)
  if (order_id !== null) {
    const { payment_session_id, transaction_id } = payment
    const cart = { cart_id, payment_session_id, transaction_id }
    if ((await recordPayment(container, cart, order_id, (work) => work())) !== "unpaid") {
      return
    }
  }
  const place = await paymentOf(container, payment.payment_session_id)
  if (place === null) {
    // May be repeated: nobody else asks again for a refund of which Medusa knows nothing.
    await releaseUnclaimed(container, payment, remote)
    return
  }
  if (await isMoneyGoingBack(container, payment)) {
    return
  }
  container
    .resolve(ContainerRegistrationKeys.LOGGER)
    .error(
      `gateway: no order could be made of the paid cart of ${payment.transaction_id} within a day: its money goes back`
    )
  await container.resolve(Modules.PAYMENT).refundPayment({
    payment_id: place.payment.id,
    amount: formatAmount(payment.amount_minor),
    created_by: "gateway",
  })
}

/** Whether refunds of Medusa give all of it back; the other deployment may take days for them. */
async function isGivenBackByMedusa(
  container: MedusaContainer,
  { transaction_id, amount_minor }: RemotePayment
): Promise<boolean> {
  const { remoteRefunds } = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const running = (await remoteRefunds.list(transaction_id)).filter(
    (refund) => !isUnclaimedRefund(refund) && refund.state !== "refused"
  )
  return running.reduce((total, refund) => total + refund.amount_minor, 0) >= amount_minor
}

async function giveBack(
  container: MedusaContainer,
  { transaction_id, amount_minor, ...payment }: RemotePayment,
  remote: RemoteGateway
): Promise<TransactionStatus> {
  const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const tries = await gateway.remoteRefunds.list(transaction_id)
  const refused = tries.filter((refund) => isUnclaimedRefund(refund) && refund.state === "refused").length
  const idempotency_key = `${UNCLAIMED_KEY}${payment.id}:${refused + 1}`
  try {
    const request = { transaction_id, amount: BigInt(amount_minor), whole: true, idempotency_key }
    await refundRemotely({ gateway, query, remote }, request)
  } catch (error) {
    const made = await gateway.remoteRefunds.list(transaction_id)
    const isRefused = made.some(({ request_key, state }) => request_key === idempotency_key && state === "refused")
    if (!GatewayError.is(error) || (error.code === "SERVICE_UNAVAILABLE" && !isRefused)) {
      throw error
    }
    logger.error(
      `gateway: the payment ${transaction_id} can pay for no order, and its money could not be given back; it is tried again: ${error.message}`
    )
    return "SUCCESS"
  }
  const status = await askStatus({ gateway, remote }, { transaction_id, amount_minor, ...payment })
  if (status === "REFUNDED") {
    logger.warn(`gateway: the payment ${transaction_id} was given back: no payment session of this store can take it`)
  }
  return status
}
