import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules } from "@medusajs/framework/utils"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import type { CartCompletionState } from "../../modules/gateway/checkout/cart-completion-states"
import type { Completion } from "../../modules/gateway/checkout/records"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/database/due-work"
import { formatAmount, type Minor } from "../../modules/gateway/kernel/money/money"
import { MEDUSA_KEY, MEDUSA_SECONDS } from "../../modules/gateway/refunds/orders/rules"
import { goodsPart, proposalOf } from "../../modules/gateway/refunds/proposals/rules"
import type { ClaimedOrderRefund } from "../../modules/gateway/refunds/orders/service"
import { minorOf } from "../../providers/gateway-payment/session"
import { whileLocked } from "../cart/lock"
import { notifyPaymentSessionSoon } from "../cart/notify-payment-session"
import { noteFailedRefund, owed, readBooks, refundedOn, writeCredit, writeRefunded, type Exact } from "./order-books"
import {
  countCollection,
  paymentOf,
  readRefunds,
  REFUND_MARK,
  sum,
  removeRefunds,
  type MedusaPayment,
  type MedusaRefund,
} from "./medusa-payment"
import { refundReasonText } from "../../modules/gateway/refunds/rules"

/**
 * How long a refund waits to be shown on an order that a paid cart may still become. An admin may take days to decide,
 * and a change of the refund is looked at right away.
 */
const WAIT_SECONDS: Partial<Record<CartCompletionState, number>> = {
  waiting: 60,
  giving_back: 60,
  needs_attention: 3_600,
}

/** The claim, Medusa's payment and its order. */
type Work = { container: MedusaContainer; claim: ClaimedOrderRefund; payment: MedusaPayment; order_id: string }

/** Brings the orders of what is due in line with the gateway's refunds. Any number of processes may run it. */
export async function syncDueRefunds(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  await dueRefunds(scope).run({ stop })
}

/** Syncs one refund now, unless another process does it at this moment. */
export async function syncRefundNow(scope: MedusaContainer, refund_id: string): Promise<void> {
  await dueRefunds(scope).run({ most: 1, only: { refund_id } })
}

function dueRefunds(scope: MedusaContainer): DueWork<ClaimedOrderRefund, { refund_id: string }> {
  const { orderRefunds } = gatewayIn(scope)
  return new DueWork(scope.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.orderRefund, {
    id: ({ refund_id }) => refund_id,
    claim: (limit, lease, only) => orderRefunds.claim(limit, lease, only),
    work: (claim) => syncOrderRefund(scope, claim),
    failures: ({ attempts }) => attempts,
    failed: (claim, failure) => orderRefunds.failed(claim, failure),
  })
}

/**
 * Brings a Medusa order in line with one refund of the gateway: a refund on the payment, the order's transaction and,
 * beyond what the store owes, a credit line; none of them when the refund failed. It looks for every piece first, so it
 * may be repeated after a crash at any point. The acquirer is never called.
 */
async function syncOrderRefund(container: MedusaContainer, claim: ClaimedOrderRefund): Promise<void> {
  const { payment_session_id } = claim
  const place = payment_session_id === null ? null : await paymentOf(container, payment_session_id)
  if (place === null || place.order_id === null) {
    await withoutOrder(container, claim)
    return
  }
  const work = { container, claim, payment: place.payment, order_id: place.order_id }
  await (isInEffect(claim) ? link(work) : unlink(work))
}

function isInEffect({ refund_state }: ClaimedOrderRefund): boolean {
  return refund_state === "processing" || refund_state === "completed"
}

/** The order may not exist yet; when the cart was refunded instead of ordered, there is nothing to sync. */
async function withoutOrder(container: MedusaContainer, claim: ClaimedOrderRefund): Promise<void> {
  const { cartCompletions, orderRefunds } = gatewayIn(container)
  const completion = await cartCompletions.find(claim.transaction_id)
  const isSettled = completion?.state === "needs_attention" && (await settleByRefund(container, completion, claim))
  const seconds = completion === null || isSettled ? undefined : WAIT_SECONDS[completion.state]
  if (isInEffect(claim) && seconds !== undefined) {
    await orderRefunds.putOff(claim, seconds)
    return
  }
  await orderRefunds.finish(claim, {
    on: "drop",
    history_entry: messageOf("order_refund.no_order"),
    order_id: null,
    again_in: null,
  })
}

/** An admin has given all the money of a paid cart without an order back: nothing waits for an admin any more. */
async function settleByRefund(
  container: MedusaContainer,
  { transaction_id, session_id }: Completion,
  { refund_id, refund_state }: ClaimedOrderRefund
): Promise<boolean> {
  const { cartCompletions, transactions } = gatewayIn(container)
  if (refund_state !== "completed" || (await transactions.byId(transaction_id)).state !== "REFUNDED") {
    return false
  }
  await cartCompletions.givenBack(transaction_id, refund_id)
  await notifyPaymentSessionSoon(container, session_id)
  return true
}

async function link(work: Work): Promise<void> {
  const { container, claim, order_id } = work
  const { orderRefunds } = gatewayIn(container)
  const { id, written } = await ensureRow(work)
  const recorded = await ensureRecorded(work, id)
  const counted = await countCollection(container, work.payment.payment_collection_id)
  const changed = written || recorded || counted
  await orderRefunds.finish(claim, {
    on: "show",
    history_entry:
      changed || claim.state === "waiting" ? messageOf("order_refund.shown", { order_id, medusa_refund_id: id }) : null,
    order_id,
    // Medusa may write at the same moment: repeat until there was nothing left to write.
    again_in: changed ? MEDUSA_SECONDS : null,
  })
}

/** Medusa's refund, found by its link, key or mark, or created: the payment provider then adopts the gateway's. */
async function ensureRow(work: Work): Promise<{ id: string; written: boolean }> {
  const { container, claim, payment } = work
  const { orderRefunds } = gatewayIn(container)
  const rows = rowsOf(claim, payment.refunds)
  const row = rows.find(({ id }) => id === claim.medusa_refund_id) ?? rows[0]
  if (row !== undefined) {
    await removeRefunds(
      container,
      rows.filter(({ id }) => id !== row.id).map(({ id }) => id)
    )
    if (
      row.id !== claim.medusa_refund_id &&
      !(await orderRefunds.link(claim.refund_id, row.id, claim.medusa_refund_id))
    ) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("order_refund.shown_meanwhile"))
    }
    return { id: row.id, written: rows.length > 1 }
  }
  const after = await container.resolve(Modules.PAYMENT).refundPayment({
    payment_id: payment.id,
    amount: formatAmount(shownMinor(claim)),
    created_by: "gateway",
    note: refundReasonText(claim.reason, "en"),
    metadata: { [REFUND_MARK]: claim.refund_id },
  })
  const made = rowsOf(claim, (after.refunds ?? []) as unknown as MedusaRefund[])[0]
  if (made === undefined) {
    throw new GatewayError("INTERNAL_SERVER_ERROR", messageOf("order_refund.medusa_refund_missing"))
  }
  return { id: made.id, written: true }
}

/** What Medusa's refund shows, in hundredths: of an order that was paid in cash too, the part in cash as well. */
function shownMinor({ amount_minor, cash_minor }: ClaimedOrderRefund): number {
  return amount_minor + cash_minor
}

/** Medusa's refunds that mirror this one: more than one when two processes created it and one was killed. */
function rowsOf(
  { refund_id, medusa_refund_id, request_key }: ClaimedOrderRefund,
  refunds: readonly MedusaRefund[]
): MedusaRefund[] {
  const key = request_key?.startsWith(MEDUSA_KEY) ? request_key.slice(MEDUSA_KEY.length) : null
  return refunds.filter(
    ({ id, metadata }) => id === medusa_refund_id || id === key || metadata?.[REFUND_MARK] === refund_id
  )
}

/**
 * The order's transaction, and the credit line where the refund exceeds what the store owed. Medusa adds the credit line
 * of what it recorded itself; only an amount that differs from the refund's is corrected.
 */
async function ensureRecorded(work: Work, id: string): Promise<boolean> {
  const { container, claim, order_id } = work
  const { orderRefunds } = gatewayIn(container)
  const books = await readBooks(container, order_id)
  const amount = MathBN.convert(formatAmount(shownMinor(claim)))
  const written = refundedOn(books, [id])
  const isMedusas = claim.origin === "medusa" && claim.credit_minor === null
  if (isMedusas && (MathBN.gt(written, 0) || (await isCovered(work, amount)))) {
    return MathBN.gt(written, 0) && correct(work, [id], amount)
  }
  const beyond = minorOf(MathBN.sub(amount, owed(books, written)))
  const remainder = await remainderOf(container, claim)
  const credit = await orderRefunds.decideCredit(claim, order_id, Math.max(0, Number(beyond), Number(remainder)))
  const recorded = await correct(work, [id], amount)
  const credited =
    credit > 0 && (await writeCredit(container, books, { refund_id: claim.refund_id, amount: formatAmount(credit) }))
  return recorded || credited
}

/** What a proposal refunds beyond what the order owes (delivery, a claim): it must not reduce what is owed. */
async function remainderOf(
  container: MedusaContainer,
  { request_key, amount_minor }: ClaimedOrderRefund
): Promise<Minor> {
  const id = proposalOf(request_key)
  if (id === null) {
    return 0n
  }
  const { refundProposals } = gatewayIn(container)
  return BigInt(amount_minor) - goodsPart(await refundProposals.retrieve(id))
}

/** Whether Medusa has recorded this refund of its own together with others, under the payment's id. */
async function isCovered({ container, payment, order_id }: Work, amount: Exact): Promise<boolean> {
  const now = await readRefunds(container, payment.id)
  const recorded = refundedOn(await readBooks(container, order_id), [payment.id, ...now.map(({ id }) => id)])
  const refunded = sum(now.map(({ raw_amount }) => raw_amount))
  return MathBN.lt(MathBN.sub(refunded, recorded), amount)
}

/**
 * Lets the order record `amount` as refunded for these references, under its lock: of two that count at once what is
 * missing, or too much, both would write it, and Medusa takes a record off the order's sums each time it is removed.
 */
async function correct({ container, order_id }: Work, reference_ids: string[], amount: Exact): Promise<boolean> {
  return whileLocked(container, order_id, async () => {
    const books = await readBooks(container, order_id)
    const missing = MathBN.sub(amount, refundedOn(books, reference_ids))
    if (MathBN.eq(missing, 0)) {
      return false
    }
    await writeRefunded(container, books, reference_ids, missing)
    return true
  })
}

/**
 * The refund failed and no money moved. Its records are removed, and a note on the order says why. A credit line stays,
 * so that the order shows the amount as still owed, by another refund or another way.
 */
async function unlink(work: Work): Promise<void> {
  const { container, claim, payment, order_id } = work
  const { orderRefunds } = gatewayIn(container)
  const rows = rowsOf(claim, payment.refunds).map(({ id }) => id)
  const ids = [...new Set([...rows, ...(claim.medusa_refund_id === null ? [] : [claim.medusa_refund_id])])]
  await removeRefunds(container, rows)
  const compensated = await correct(work, ids, MathBN.convert(0))
  // A refund that Medusa is making at this moment is on its payment before it is on the order, and would hide a surplus.
  const early = (await orderRefunds.underWay(claim.transaction_id, claim.refund_id)) > 0
  const surplus = !early && (await unlinkSurplus(container, work))
  const counted = await countCollection(container, payment.payment_collection_id)
  const undone = rows.length > 0 || compensated || surplus
  if (undone) {
    await notifyOrder(work)
  }
  const never = claim.state !== "shown" && claim.state !== "undone" && !undone
  await orderRefunds.finish(claim, {
    on: never ? "drop" : "undo",
    history_entry: undone
      ? messageOf("order_refund.removed", { order_id })
      : never
        ? messageOf("order_refund.never_shown")
        : null,
    order_id,
    again_in: undone || counted || early ? MEDUSA_SECONDS : null,
  })
}

/**
 * When Medusa cancels an order and the payment provider refuses the refund, Medusa still records the refund on the
 * order, under the payment's id. This removes what exceeds the payment's refunds; true when there was any.
 */
export async function unlinkSurplus(
  container: MedusaContainer,
  { payment, order_id }: Pick<Work, "payment" | "order_id">,
  except?: string
): Promise<boolean> {
  return whileLocked(container, order_id, async () => {
    const now = (await readRefunds(container, payment.id)).filter(({ id }) => id !== except)
    const books = await readBooks(container, order_id)
    const recorded = refundedOn(books, [payment.id, ...now.map(({ id }) => id)])
    const surplus = MathBN.sub(recorded, sum(now.map(({ raw_amount }) => raw_amount)))
    if (MathBN.lte(surplus, 0)) {
      return false
    }
    await writeRefunded(container, books, [payment.id], MathBN.mult(surplus, -1))
    return true
  })
}

/** A note on the order says that a refund failed, so an admin sees it there without this plugin's pages too. */
async function notifyOrder({ container, claim, order_id }: Work): Promise<void> {
  const said = `${formatAmount(claim.amount_minor)} ${claim.currency}: ${claim.error_message ?? "the refund failed"}`
  await noteFailedRefund(container, order_id, claim.refund_id, said)
}
