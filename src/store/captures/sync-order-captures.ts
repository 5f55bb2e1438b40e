import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules, PaymentEvents } from "@medusajs/framework/utils"
import { translate } from "../../i18n/translate"
import { gatewayIn } from "../../modules/gateway"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/database/due-work"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import type { ClaimedAuthorization } from "../../modules/gateway/payments/captures/orders"
import type { Authorization, Capture } from "../../modules/gateway/payments/captures/records"
import { isReplaced } from "../../providers/gateway-payment/session"
import { mendCollections } from "../balance/outstanding"
import {
  addCaptures,
  correctionsOf,
  isOld,
  type MedusaCapture,
  missingCaptures,
  removeLost,
  shownCaptures,
} from "./medusa-captures"
import {
  fulfilledMinor,
  type FulfilledOrder,
  type MedusaPayment,
  type Place,
  placeOf,
  readFulfilledOrder,
} from "./order-amounts"

/** A fulfilment's capture that the acquirer refuses is tried again with the next looks at the order. */
const CAPTURE_TRIES = 5

/** An authorised payment, its order, and what Medusa says of its payment. */
type Work = Place & { container: MedusaContainer; authorization: Authorization; captures: Capture[] }

/** Brings Medusa's orders and the gateway's captures in line. Any number of processes may run it. */
export async function syncDueCaptures(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { orderCaptures } = gatewayIn(scope)
  const due = new DueWork<ClaimedAuthorization>(
    scope.resolve(ContainerRegistrationKeys.LOGGER),
    DUE_WORK.orderCapture,
    {
      id: ({ transaction_id }) => transaction_id,
      claim: (limit, lease) => orderCaptures.claim(limit, lease),
      work: (claim) => syncCaptures(scope, claim),
    }
  )
  await due.run({ stop })
}

/** It looks for every piece first, so it may be repeated after a crash at any point. */
async function syncCaptures(container: MedusaContainer, claim: ClaimedAuthorization): Promise<void> {
  const { orderCaptures } = gatewayIn(container)
  const read = await orderCaptures.read(claim.id)
  const place = await placeOf(container, claim.payment_session_id)
  if (read !== null && place !== null) {
    const work = { container, ...read, ...place }
    await followOrder(work)
    const after = await orderCaptures.read(claim.id)
    await showCaptures({ ...work, ...(after ?? read) })
    if (!(await isRecorded(work))) {
      // Medusa may be writing at this moment: looked at again when the claim has run out.
      return
    }
  }
  await orderCaptures.finish(claim)
}

/**
 * Whether the order's transactions are those of the captures that exist; what differs is corrected. A process that died
 * has not written one. Medusa's workflow writes one for each row that it sees: also for a capture that the payment
 * provider then refuses, and with its own amount for one that an earlier run has not written.
 */
async function isRecorded({ container, payment: { id }, order_id }: Work): Promise<boolean> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ["currency_code", "captures.id", "captures.raw_amount", "captures.created_at"]
  const { data } = await query.graph({ entity: "payment", fields, filters: { id } })
  const { currency_code, captures } = data[0] as unknown as { currency_code: string; captures: MedusaCapture[] }
  const missing = await missingCaptures(container, order_id, captures)
  const lost = missing.filter(isOld)
  const corrections = await correctionsOf(container, captures, await shownCaptures(container, order_id))
  await addCaptures(container, { order_id, currency_code }, [...lost, ...corrections])
  return missing.length === lost.length
}

/** A cancelled order releases the money; a fulfilled one captures what was sent, where the setting says so. */
async function followOrder(work: Work): Promise<void> {
  const { container, authorization, captures, collection, order_id } = work
  const { releases } = gatewayIn(container)
  const order = await readFulfilledOrder(container, order_id)
  const hasMoney = authorization.state === "open" || authorization.captured_minor > 0
  if (isReplaced(collection.status) && hasMoney && order?.status !== "canceled") {
    await mendCollections(container, order_id, collection.id)
  }
  if (authorization.state !== "open" || captures.some(({ state }) => state === "processing")) {
    return
  }
  if (order?.status === "canceled") {
    await releases.void(null, authorization.transaction_id, {})
  } else if (order !== null && authorization.mode === "on_fulfilment") {
    await captureFulfilled(work, order)
  }
}

/**
 * Captures what was sent and is not captured yet. An acquirer that takes one capture is asked when the whole order is on
 * its way. What the order no longer costs is released with the last part.
 */
async function captureFulfilled(work: Work, order: FulfilledOrder): Promise<void> {
  const { container, authorization, captures: made } = work
  const { captures, orderCaptures, releases } = gatewayIn(container)
  const { transaction_id, captured_minor } = authorization
  const { minor, isAll } = fulfilledMinor(order)
  const authorized = BigInt(authorization.amount_minor)
  const owed = (await captures.owed(transaction_id)) ?? authorized
  const due = [minor, authorized, owed].reduce((least, one) => (one < least ? one : least))
  const amount = due - BigInt(captured_minor)
  const failed = made.filter(({ state }) => state === "failed").length
  if (amount > 0n && failed >= CAPTURE_TRIES) {
    // An admin captures it, or the shopper pays in another way.
    return
  }
  if (amount > 0n && (isAll || !authorization.is_single)) {
    try {
      const request_key = `fulfilment:${due}:${failed}`
      const input = { tenant: null, transaction_id, amount, by: {}, request_key, captured_minor }
      const { capture } = await captures.capture(input)
      if (capture.state === "processing") {
        return
      }
    } catch (error) {
      if (!GatewayError.is(error)) {
        throw error
      }
      const now = await orderCaptures.read(authorization.id)
      if (now !== null && now.authorization.captured_minor !== captured_minor) {
        // An admin has captured at the same moment: what is left of what was sent is counted again.
        await followOrder({ ...work, ...now })
        return
      }
      const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
      logger.error(
        `gateway: order ${order.id} is fulfilled, and ${formatAmount(amount)} ${authorization.currency} of ${transaction_id} could not be captured: ${translate(error.reason)}`
      )
      return
    }
  }
  if (isAll && due < authorized && !authorization.is_single) {
    await releases.void(null, transaction_id, {})
  }
}

/** Medusa's payment shows each capture of the gateway, and is cancelled when nothing was captured. */
async function showCaptures({ container, authorization, captures, payment, order_id }: Work): Promise<void> {
  payment.captures = await removeLost(
    container,
    payment,
    new Set(captures.map(({ medusa_capture_id }) => medusa_capture_id))
  )
  const rows = new Set(payment.captures.map(({ id }) => id))
  for (const capture of captures.filter(({ state }) => state === "completed")) {
    if (capture.medusa_capture_id === null || !rows.has(capture.medusa_capture_id)) {
      await showCapture(container, payment, order_id, capture)
    }
  }
  const isGone = authorization.ended_because === "voided" || authorization.ended_because === "expired"
  const isUncaptured = captures.every(({ state }) => state === "failed")
  if (isGone && isUncaptured && payment.canceled_at === null) {
    await container.resolve(Modules.PAYMENT).cancelPayment(payment.id)
  }
}

/**
 * Makes Medusa show a capture of the gateway, which the payment provider finds by its id (providers/gateway-payment/
 * capture.ts). The steps are those of Medusa's workflow, which would write the order's transactions also for a row that
 * another process makes at this moment, and that the provider refuses.
 */
async function showCapture(
  container: MedusaContainer,
  payment: MedusaPayment,
  order_id: string,
  { id, amount_minor }: Capture
): Promise<void> {
  const payments = container.resolve(Modules.PAYMENT)
  await payments.capturePayment({ payment_id: payment.id, amount: formatAmount(amount_minor), captured_by: id })
  const made = await payments.listCaptures({ payment_id: payment.id, created_by: id } as object)
  const { currency_code } = await payments.retrievePayment(payment.id, { select: ["id", "currency_code"] })
  const captures = made.map((capture) => ({ id: capture.id, raw_amount: MathBN.convert(capture.amount) }))
  await addCaptures(container, { order_id, currency_code }, await missingCaptures(container, order_id, captures))
  await container.resolve(Modules.EVENT_BUS).emit({ name: PaymentEvents.CAPTURED, data: { id: payment.id } })
}

/** The orders have changed: what was authorised for them is looked at soon. */
export async function ordersChanged(container: MedusaContainer, order_ids: readonly string[]): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "order_payment_collection",
    fields: ["payment_collection.payment_sessions.id"],
    filters: { order_id: [...order_ids] },
  })
  const links = data as unknown as { payment_collection?: { payment_sessions?: { id: string }[] } | null }[]
  const sessions = links.flatMap(({ payment_collection }) => payment_collection?.payment_sessions ?? [])
  await gatewayIn(container).orderCaptures.orderChanged(sessions.map(({ id }) => id))
}
