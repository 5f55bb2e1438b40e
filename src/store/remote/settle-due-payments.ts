import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { RemotePayment } from "../../modules/gateway/payments/remote-payments"
import type GatewayModuleService from "../../modules/gateway/service"
import type { RemoteGateway } from "../../providers/gateway-payment/remote/client"
import { ENDED } from "../../providers/gateway-payment/remote/session"
import { whileCartIsLocked } from "../cart/guard"
import { remoteGateways } from "./providers"
import { settleDueRefunds } from "./settle-due-refunds"
import { findRemotePayment, settleRemotePayment } from "./settle-remote-payment"
import { sortPayments } from "./sort-payments"
import { giveBackPaid, releaseUnclaimed } from "./unclaimed-payments"

/** How many payments a run looks at; how many it asks about, the quota says. */
const BATCH = 2_000
/** A paid cart without an order gets its money back after this time. */
const ORDERED_WITHIN_MS = 24 * 60 * 60 * 1_000
/** So many unknown outcomes in a row: the other deployment is away. */
const AWAY_AFTER = 3

/** `isOwed`: money is known to be there, or must not stay there: it is asked about even when the quota is scarce. */
type Due = { payment: RemotePayment; isOwed: boolean; work: typeof settle }

/**
 * Settles payments and refunds without a notification: Medusa loses a webhook that arrives while the process ends, and a
 * shopper may never return. Gives back what no payment session can take, first of all. It is no DueWork of the gateway's
 * kernel: the quota of each deployment limits a run, and an absent deployment ends it.
 */
export async function settleRemotePayments(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const remotes = remoteGateways(scope)
  if (remotes.size === 0) {
    return
  }
  await settleDueRefunds(scope, remotes, stop)
  const { remotePayments } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  for (const [provider_id, remote] of remotes) {
    const { unclaimed, paid, open, done } = await sortPayments(scope, await remotePayments.due([provider_id], BATCH))
    await remotePayments.finish(done)
    const ofKind = (payments: RemotePayment[], kind: Omit<Due, "payment">) =>
      oneByOne(
        scope,
        remote,
        payments.map((payment) => ({ payment, ...kind })),
        stop
      )
    await ofKind(unclaimed, { isOwed: true, work: releaseUnclaimed })
    await ofKind(paid, { isOwed: true, work: settle })
    await ofKind(open, { isOwed: false, work: settle })
  }
}

/**
 * Goes on after an error, unless the other deployment is away: then the next run asks about those again. It works on
 * payments of one kind, so that a few that never get an answer do not keep the others waiting. What exceeds the task's
 * share of the quota stays due.
 */
async function oneByOne(
  scope: MedusaContainer,
  remote: RemoteGateway,
  due: readonly Due[],
  stop?: AbortSignal
): Promise<void> {
  const { remotePayments } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  let unknown: string[] = []
  for (const { payment, isOwed, work } of due) {
    if (stop?.aborted || remote.hasSpentShare || unknown.length === AWAY_AFTER) {
      break
    }
    if ((remote.isScarce && !isOwed) || !(await remotePayments.claim(payment))) {
      continue
    }
    try {
      await work(scope, payment, remote)
      unknown = []
      if (payment.missing_since !== null) {
        await remotePayments.found(payment.id)
      }
    } catch (error) {
      const { message } = error as Error
      logger.warn(`gateway: payment session ${payment.payment_session_id} could not be settled: ${message}`)
      const code = GatewayError.is(error) ? error.code : null
      if (code === "SERVICE_UNAVAILABLE") {
        unknown.push(payment.id)
      } else if (code === "TRANSACTION_NOT_FOUND") {
        await noteMissing(scope, payment)
      }
    }
  }
  await remotePayments.askSoon(unknown)
}

/**
 * A payment that is known to be paid stays due: its shopper gets an order or the money back. "Not found" may be an
 * answer to another merchant's key.
 */
async function noteMissing(scope: MedusaContainer, { id, status, transaction_id }: RemotePayment): Promise<void> {
  const { remotePayments } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  if (status === "SUCCESS") {
    logger.error(
      `gateway: the other deployment does not know the payment ${transaction_id}, which it has taken: is its key another merchant's?`
    )
  } else if (await remotePayments.missing(id)) {
    logger.error(
      `gateway: the other deployment has not known the payment ${transaction_id} (${status}) for a week: it is given up`
    )
  }
}

/** What became of a payment is asked; a paid one gets its order, and the next run finds it. */
async function settle(scope: MedusaContainer, payment: RemotePayment, remote: RemoteGateway): Promise<void> {
  const found = await findRemotePayment(scope, payment.payment_session_id)
  if (found === null || found.payment.id !== payment.id) {
    return
  }
  const isLastTry = isGivenUp(payment)
  const settled = await settleRemotePayment(scope, { ...found, remote }, { isLastTry })
  const { status, cart_id, order_id } = settled
  if (settled.isOthers === true) {
    // Sorted as paid: the other payment holds no money now, or is of another collection. A person has to find out which.
    scope
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(
        `gateway: the order ${order_id} shows another payment than ${payment.transaction_id}, which is paid too: refund it if it is a second one`
      )
  }
  if (status === "REFUNDED" || settled.isOthers === true || ENDED.includes(status)) {
    await scope.resolve<GatewayModuleService>(GATEWAY_MODULE).remotePayments.finish([{ id: payment.id, status }])
  } else if (status === "PENDING" && cart_id !== null && order_id === null && isLastTry) {
    await whileCartIsLocked(scope, cart_id, () => giveBackPaid(scope, payment, cart_id, remote))
  }
}

/** Paid for so long that the order would have been made by now: Medusa's own rollback is not reached by every failure. */
function isGivenUp({ status, updated_at }: RemotePayment): boolean {
  return status === "SUCCESS" && updated_at.getTime() <= Date.now() - ORDERED_WITHIN_MS
}
