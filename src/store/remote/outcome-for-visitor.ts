import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type { RemotePayment } from "../../modules/gateway/payments/remote-payments"
import type { TransactionStatus } from "../../modules/gateway/payments/states"
import type GatewayModuleService from "../../modules/gateway/service"
import { askWithinLimits } from "./ask-within-limits"
import {
  findRemotePayment,
  knownSettlement,
  OPEN_SESSIONS,
  settleRemotePayment,
  type FoundRemotely,
  type SettledPayment,
} from "./settle-remote-payment"
import { sortPayments } from "./sort-payments"

/**
 * Payments that this process is settling; concurrent callers share the result. Each request has a container of its own,
 * and callers of other processes are limited by the database (ask-within-limits.ts).
 */
const settling = new Map<string, Promise<SettledPayment>>()

/**
 * The outcome of a payment, for an anonymous caller: from this store's own rows when it is final, otherwise by asking the
 * other deployment, within limits. Beyond the limits it answers what was last known.
 */
export async function outcomeForVisitor(
  container: MedusaContainer,
  found: FoundRemotely,
  address: string
): Promise<SettledPayment> {
  const known = await knownSettlement(container, found)
  if (isFinal(known, found)) {
    return known
  }
  const { id } = found.payment
  const running = settling.get(id) ?? settleOnce(container, found, address).finally(() => settling.delete(id))
  settling.set(id, running)
  return running
}

/**
 * What is known of a payment that this store cannot ask about: its provider is not among the store's any more, or its
 * payment session is gone, because Medusa has given the money back or the shopper has begun anew. Then it pays for nothing,
 * unless a host's code has deleted the payment collection of an order: that payment is done.
 */
export async function outcomeWithoutAsking(
  container: MedusaContainer,
  payment: RemotePayment
): Promise<SettledPayment> {
  const { transaction_id, payment_session_id, amount_minor, status } = payment
  const [session] = await container.resolve(Modules.PAYMENT).listPaymentSessions({ id: [payment_session_id] })
  if (session !== undefined) {
    return knownSettlement(container, { payment, session })
  }
  const settlement = (known: TransactionStatus) => ({ status: known, order_id: null, cart_id: null })
  const { remoteRefunds } = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const completed = (await remoteRefunds.list(transaction_id)).filter(({ state }) => state === "completed")
  if (completed.reduce((total, refund) => total + refund.amount_minor, 0) >= amount_minor) {
    return settlement("REFUNDED")
  }
  const { done } = await sortPayments(container, [payment])
  return settlement(status === "SUCCESS" && done.length === 0 ? "PENDING" : status)
}

/** An order stays after a refund. A payment that failed is final once Medusa's payment session shows it. */
function isFinal({ status, order_id }: SettledPayment, { session }: FoundRemotely): boolean {
  return order_id !== null || (status !== "PENDING" && !OPEN_SESSIONS.includes(session.status))
}

async function settleOnce(container: MedusaContainer, found: FoundRemotely, address: string): Promise<SettledPayment> {
  const settled = await askWithinLimits(container, found, address, () => settleRemotePayment(container, found))
  return settled ?? knownSettlement(container, (await findRemotePayment(container, found.session.id)) ?? found)
}
