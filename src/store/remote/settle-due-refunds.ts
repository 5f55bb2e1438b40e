import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { translate } from "../../i18n/translate"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/due-work"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money"
import type { RemotePayment } from "../../modules/gateway/payments/remote-payments"
import type { RemoteRefund } from "../../modules/gateway/refunds/remote"
import { isRepeatable } from "../../modules/gateway/refunds/rules"
import type GatewayModuleService from "../../modules/gateway/service"
import type { RemoteGateway } from "../../providers/gateway-payment/remote/client"
import { demand } from "../../providers/gateway-payment/remote/demand"
import { askForRefund, outcomeOf } from "../../providers/gateway-payment/remote/refund"
import { countCollection, paymentOf, removeRefunds } from "../refunds/medusa-payment"
import { noteFailedRefund, readBooks, refundedOn, writeRefunded } from "../refunds/order-books"
import { unlinkSurplus } from "../refunds/sync-order-refund"
import { askStatus } from "../../providers/gateway-payment/remote/session"
import { isUnclaimedRefund } from "./unclaimed-payments"

/** A due refund, its payment and the deployment that makes it. */
type Work = { scope: MedusaContainer; refund: RemoteRefund; payment: RemotePayment; remote: RemoteGateway }
type Place = NonNullable<Awaited<ReturnType<typeof paymentOf>>>

/**
 * Finds out what became of the refunds that this store has requested from other deployments: one that was accepted can
 * be rejected or fail days later, and of one without an answer nobody knows. Any number of processes may run it. What
 * exceeds the task's share of a quota stays due.
 */
export async function settleDueRefunds(
  scope: MedusaContainer,
  remotes: ReadonlyMap<string, RemoteGateway>,
  stop?: AbortSignal
): Promise<void> {
  const { remoteRefunds } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const due = new DueWork<RemoteRefund>(scope.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.remoteRefund, {
    id: ({ id }) => id,
    claim: async (limit) =>
      [...remotes.values()].some(({ hasSpentShare }) => hasSpentShare) ? [] : remoteRefunds.claim(limit),
    work: (refund) => settleRefund(scope, refund, remotes),
    failures: ({ asks }) => asks,
  })
  await due.run({ stop })
}

async function settleRefund(
  scope: MedusaContainer,
  refund: RemoteRefund,
  remotes: ReadonlyMap<string, RemoteGateway>
): Promise<void> {
  const { remotePayments, remoteRefunds } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const payment = await remotePayments.byTransaction(refund.transaction_id)
  const remote = payment === null ? undefined : remotes.get(payment.provider_id)
  if (payment === null || remote === undefined) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.remote_provider_gone"))
  }
  const work = { scope, refund, payment, remote }
  if (refund.state === "refused") {
    await undo(work)
  } else if (refund.state === "accepted" && refund.refund_id !== null) {
    const outcome = outcomeOf(demand(await remote.refundStatus(refund.refund_id), "refund"))
    const settled = outcome.state === "accepted" ? null : await remoteRefunds.settle(refund.id, outcome)
    if (settled?.state === "refused") {
      log(work, settled)
      await undo({ ...work, refund: settled })
    } else if (settled?.state === "completed") {
      // The payment may be given back whole now.
      await remotePayments.askSoon([payment.id])
    }
  } else if (refund.state === "asked") {
    await resume(work)
  }
}

/**
 * The request has no answer. Where Medusa still shows its refund, the process has died: it is requested again under its
 * key. Where Medusa has deleted it, whoever refunds repeats it, as Medusa's message says. Nobody repeats the refund of a
 * cart without an order: that is done here, through Medusa, so that Medusa shows it. A whole refund that was made lets
 * Medusa delete the payment session; the payment's status then says what became of it.
 */
async function resume({ scope, refund, payment, remote }: Work): Promise<void> {
  const gateway = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const place = await paymentOf(scope, payment.payment_session_id)
  const whole = refund.amount_minor === payment.amount_minor
  if (isUnclaimedRefund(refund) && place === null) {
    // The payment is due itself until its money is back.
    return
  }
  const isAnswered = place === null || !isRepeatable(refund, new Date())
  if (isAnswered && whole && (await askStatus({ gateway, remote }, payment)) === "REFUNDED") {
    await gateway.remoteRefunds.settle(refund.id, { state: "completed" })
    return
  }
  if (place === null) {
    return
  }
  if (place.payment.refunds.some(({ id }) => id === refund.request_key)) {
    await askForRefund({ gateway, remote }, { transaction_id: refund.transaction_id, whole }, refund)
  } else if (place.order_id === null) {
    const payments: IPaymentModuleService = scope.resolve(Modules.PAYMENT)
    await payments.refundPayment({
      payment_id: place.payment.id,
      amount: formatAmount(refund.amount_minor),
      created_by: "gateway",
    })
  }
}

/**
 * No money has moved: what Medusa shows of the refund is removed, and a note on the order says why. A credit line stays,
 * so that the order shows the amount as still owed. It looks for every piece first and deletes Medusa's row last, so it
 * may be repeated after a crash at any point.
 */
async function undo(work: Work): Promise<void> {
  const { scope, refund, payment } = work
  const place = await paymentOf(scope, payment.payment_session_id)
  if (place !== null) {
    await undoAt(work, place)
  }
  await scope.resolve<GatewayModuleService>(GATEWAY_MODULE).remoteRefunds.finish(refund.id)
}

async function undoAt(work: Work, { payment, order_id }: Place): Promise<void> {
  const { scope, refund } = work
  const row = payment.refunds.find(({ id }) => id === refund.request_key)
  const books = order_id === null ? null : await readBooks(scope, order_id)
  const recorded = books === null ? MathBN.convert(0) : refundedOn(books, [refund.request_key])
  const isShown = row !== undefined || !MathBN.eq(recorded, 0)
  if (isShown && books !== null) {
    await noteFailedRefund(scope, books.id, refund.request_key, reasonOf(work))
    if (!MathBN.eq(recorded, 0)) {
      await writeRefunded(scope, books, refund.request_key, MathBN.mult(recorded, -1))
    }
  }
  await countCollection(scope, payment.payment_collection_id, refund.request_key)
  await removeRefunds(scope, row === undefined ? [] : [row.id])
  if (order_id !== null && (await unlinkSurplus(scope, { payment, order_id })) && !isShown) {
    await noteFailedRefund(scope, order_id, refund.request_key, reasonOf(work))
  }
}

function log(work: Work, refund: RemoteRefund): void {
  work.scope
    .resolve(ContainerRegistrationKeys.LOGGER)
    .error(
      `gateway: the refund ${refund.id} of ${refund.transaction_id} has failed after all: ${reasonOf({ ...work, refund })}`
    )
}

function reasonOf({ refund, payment }: Work): string {
  const reason = translate(refund.last_error ?? messageOf("refusal.remote_refund_failed"))
  return `${formatAmount(refund.amount_minor)} ${payment.currency}: ${reason}`
}
