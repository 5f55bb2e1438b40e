import type { BigNumberInput, MedusaContainer, OrderChangeDTO } from "@medusajs/framework/types"
import {
  ChangeActionType,
  ClaimType,
  ContainerRegistrationKeys,
  MathBN,
  Modules,
  OrderChangeStatus,
  OrderChangeType,
} from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/database/due-work"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { AUTOMATIC, confirmsItself, goodsPart } from "../../modules/gateway/refunds/proposals/rules"
import type { Minor } from "../../modules/gateway/kernel/money/money"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import type { NewProposal } from "../../modules/gateway/refunds/proposals/propose"
import type { ClaimedNotice } from "../../modules/gateway/refunds/proposals/return-notices"
import { minorOf } from "../../providers/gateway-payment/session"
import { owedAfter, owedForReceived, readBooks } from "../refunds/order-books"
import { paymentOf } from "../refunds/medusa-payment"
import { unlinkSurplus } from "../refunds/sync-order-refund"
import { confirmProposal } from "./confirm-proposal"
import {
  deliveryOf,
  exactValue,
  gatewayPaymentOf,
  gatewayPaymentsOf,
  linesOf,
  readOrder,
  type Returned,
  type ReturnedOrder,
} from "./order"
import { textOf } from "../../modules/gateway/kernel/text/text"
import { sweep } from "./sweep"

/** Proposes refunds for what came back, was claimed or was cancelled. Any number of processes may run it. */
export async function processReturns(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { returnNotices } = gatewayIn(scope)
  await sweep(scope)
  const due = new DueWork<ClaimedNotice>(scope.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.returnNotice, {
    id: ({ id, kind, order_id }) => `${id} (${kind} of order ${order_id})`,
    claim: (limit, lease) => returnNotices.claim(limit, lease),
    work: (notice) => proposeRefund(scope, notice),
    failures: ({ attempts }) => attempts,
    failed: (notice, failure) => returnNotices.failed(notice, failure),
  })
  await due.run({ stop })
}

/** How often a cancelled order is looked at whose money waits for approval. */
const WAITING_SECONDS = 300

/**
 * Processes one notice: creates its proposal and, where the store's setting says so, the refund. It may run any number
 * of times, in any process: a source has one proposal, and a proposal has one refund.
 */
async function proposeRefund(container: MedusaContainer, notice: ClaimedNotice): Promise<void> {
  const { returnNotices } = gatewayIn(container)
  const outcome = await outcomeOf(container, notice)
  await (outcome === null ? returnNotices.putOff(notice, WAITING_SECONDS) : returnNotices.finish(notice, outcome))
}

/** Null: money of a cancelled order waits for approval. Rejected, it is still to be given back. */
async function outcomeOf(container: MedusaContainer, notice: ClaimedNotice): Promise<string | null> {
  const order = await readOrder(container, notice.order_id)
  const payments = order === null ? [] : await paymentsFor(container, notice, order)
  if (order === null || payments.length === 0) {
    return "not paid through the gateway"
  }
  const proposals: string[] = []
  let isWaiting = false
  for (const payment of payments) {
    // The advance of an order that was refused at the door stays with the shop where its rule says so.
    if (await gatewayIn(container).cashRefunds.keepsAdvance(payment.transaction_id)) {
      continue
    }
    isWaiting ||= waits(notice, payment)
    proposals.push(...(await proposeOf(container, notice, order, payment)))
  }
  return isWaiting ? null : proposals.length === 0 ? "nothing to give back" : `proposal ${proposals.join(", ")}`
}

/**
 * Goods are given back of one payment. What a cancelled order has paid, and what one costs less, may have come by
 * several: the newest gives back first, because it paid what was added last.
 */
async function paymentsFor(
  container: MedusaContainer,
  { kind }: ClaimedNotice,
  order: ReturnedOrder
): Promise<PaymentRecord[]> {
  if (kind === "cancellation" || kind === "edit") {
    return gatewayPaymentsOf(container, order)
  }
  const payment = await gatewayPaymentOf(container, order)
  return payment === null ? [] : [payment]
}

/** Whether the cancellation cannot be decided yet: a refund of the payment may still be rejected. */
function waits({ kind }: ClaimedNotice, { waiting_minor }: PaymentRecord): boolean {
  return kind === "cancellation" && waiting_minor > 0
}

/** The proposal of a refund of this payment, if there is one. */
async function proposeOf(
  container: MedusaContainer,
  notice: ClaimedNotice,
  order: ReturnedOrder,
  payment: PaymentRecord
): Promise<string[]> {
  if (notice.kind === "cancellation") {
    await takeFalseRefundOff(container, payment)
  }
  // A source proposes once of a payment, so all of it is proposed together when nothing of it waits any more.
  if (waits(notice, payment)) {
    return []
  }
  const { refundProposals, merchants } = gatewayIn(container)
  const settings = await merchants.environment(payment)
  const request = await requestOf(container, notice, order, payment)
  const proposal =
    request === null
      ? null
      : await refundProposals.propose({
          ...request,
          transaction_id: payment.transaction_id,
          order_id: order.id,
          kind: notice.kind,
          source_id: notice.source_id,
          shipping: settings.returns_refund_shipping && notice.kind === "return" ? minorOf(deliveryOf(order)) : 0n,
        })
  if (proposal === null) {
    return []
  }
  if (confirmsItself(settings, proposal.kind) && proposal.state === "open" && proposal.tries === 0) {
    await confirmByItself(
      container,
      proposal.id,
      proposal.items.some(({ damaged }) => Number(damaged) > 0)
    )
  }
  return [proposal.id]
}

type Wanted = Pick<NewProposal, "lines" | "owed" | "most" | "return_id" | "claim_id">

async function requestOf(
  container: MedusaContainer,
  { kind, source_id }: ClaimedNotice,
  order: ReturnedOrder,
  payment: PaymentRecord
): Promise<Wanted | null> {
  if (kind === "cancellation") {
    return { lines: [], owed: null, most: null, return_id: null, claim_id: null }
  }
  if (kind === "edit") {
    // All that is left of a cancelled order is proposed as such.
    if (order.status === "canceled") {
      return null
    }
    const owed = await owedBeside(container, order.id, payment)
    return { lines: [], owed, most: null, return_id: null, claim_id: null }
  }
  const orders = container.resolve(Modules.ORDER)
  const change = await orders.retrieveOrderChange(source_id, { relations: ["actions"] })
  const back = kind === "return" ? returnedBy(change) : claimedBy(change)
  const lines = linesOf(order, back)
  const { return_id, claim_id } = await idsOf(container, change)
  if (claim_id !== null && (await isReplaced(container, claim_id))) {
    return null
  }
  const books = await readBooks(container, order.id)
  const owed = kind === "return" ? minorOf(owedForReceived(books)) : null
  // Medusa's total still has the claimed goods. An order that is not paid whole gives back less than they cost.
  const most = kind === "claim" ? minorOf(owedAfter(books, await claimedValue(container, order))) : null
  return lines.length === 0 ? null : { lines, owed, most, return_id, claim_id }
}

/** What the goods cost that claims pay for and that do not come back, refunded or not, in the order's currency. */
export async function claimedValue(container: MedusaContainer, order: ReturnedOrder): Promise<BigNumberInput> {
  const orders = container.resolve(Modules.ORDER)
  const filters = { order_id: order.id, change_type: OrderChangeType.CLAIM, status: OrderChangeStatus.CONFIRMED }
  const changes = await orders.listOrderChanges(filters as object, { relations: ["actions"] })
  const values: BigNumberInput[] = []
  for (const change of changes) {
    if (!change.claim_id || !(await isReplaced(container, change.claim_id))) {
      values.push(exactValue(order, claimedBy(change)))
    }
  }
  return MathBN.sum(0, ...values)
}

/** What the order was paid too much, less what is proposed already of its other payments. */
async function owedBeside(container: MedusaContainer, order_id: string, payment: PaymentRecord): Promise<Minor> {
  const { refundProposals } = gatewayIn(container)
  const owed = minorOf(owedForReceived(await readBooks(container, order_id)))
  const others = (await refundProposals.ofOrder(order_id)).filter(
    ({ state, transaction_id }) => state === "open" && transaction_id !== payment.transaction_id
  )
  const left = others.reduce((sum, proposal) => sum - goodsPart(proposal), owed)
  return left > 0n ? left : 0n
}

/** The quantity of each line that this receipt returned. Medusa's returns keep only the last receipt's count. */
function returnedBy({ actions }: OrderChangeDTO): Returned {
  const back: Returned = new Map()
  for (const { action, details } of actions) {
    const isDamaged = action === ChangeActionType.RECEIVE_DAMAGED_RETURN_ITEM
    if (isDamaged || action === ChangeActionType.RECEIVE_RETURN_ITEM) {
      add(back, details, isDamaged)
    }
  }
  return back
}

/** What a claim pays for without a return of the goods: the rest of it comes as a return. */
function claimedBy({ actions }: OrderChangeDTO): Returned {
  const claimed: Returned = new Map()
  for (const { action, details } of actions) {
    if (action === ChangeActionType.WRITE_OFF_ITEM) {
      add(claimed, details, false)
    } else if (action === ChangeActionType.RETURN_ITEM) {
      add(claimed, { ...details, quantity: MathBN.mult(details?.quantity as BigNumberInput, -1) }, false)
    }
  }
  return claimed
}

function add(back: Returned, details: Record<string, unknown> | null, isDamaged: boolean): void {
  const item_id = textOf(details?.reference_id)
  const quantity = details?.quantity as BigNumberInput
  const before = back.get(item_id) ?? { quantity: 0, damaged: 0 }
  back.set(item_id, {
    quantity: MathBN.add(before.quantity, quantity),
    damaged: isDamaged ? MathBN.add(before.damaged, quantity) : before.damaged,
  })
}

async function idsOf(
  container: MedusaContainer,
  change: OrderChangeDTO
): Promise<Pick<Wanted, "return_id" | "claim_id">> {
  const return_id = change.return_id ?? null
  if (change.claim_id || return_id === null) {
    return { return_id, claim_id: change.claim_id ?? null }
  }
  const { claim_id } = await container.resolve(Modules.ORDER).retrieveReturn(return_id, { select: ["id", "claim_id"] })
  return { return_id, claim_id: claim_id ?? null }
}

/** The shopper gets other goods for what comes back, and no money. */
export async function isReplaced(container: MedusaContainer, claim_id: string): Promise<boolean> {
  const { type } = await container.resolve(Modules.ORDER).retrieveOrderClaim(claim_id, { select: ["id", "type"] })
  return type === ClaimType.REPLACE
}

/** Medusa writes a refund on a cancelled order also when the provider has refused it. */
async function takeFalseRefundOff(container: MedusaContainer, { payment_session_id }: PaymentRecord): Promise<void> {
  const place = payment_session_id === null ? null : await paymentOf(container, payment_session_id)
  if (place?.order_id) {
    await unlinkSurplus(container, { payment: place.payment, order_id: place.order_id })
  }
}

/** Damaged goods are an admin's decision, and so is what the gateway refuses: the proposal stays open and says why. */
async function confirmByItself(container: MedusaContainer, id: string, isDamaged: boolean): Promise<void> {
  const { refundProposals } = gatewayIn(container)
  if (isDamaged) {
    await refundProposals.note(id, messageOf("proposal.damaged_goods"))
    return
  }
  try {
    await confirmProposal(container, id, { by: {}, name: AUTOMATIC })
  } catch (error) {
    if (!GatewayError.is(error)) {
      throw error
    }
    await refundProposals.note(id, messageOf("proposal.not_automatic", { why: error.reason }))
  }
}
