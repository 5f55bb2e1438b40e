import type { MedusaContainer } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import type { By } from "../../modules/gateway/kernel/database/audit"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { Obstacle } from "../../modules/gateway/refunds/preview"
import { formatAmount, statedAmount, type Minor } from "../../modules/gateway/kernel/money/money"
import { refundable, type OwnReason } from "../../modules/gateway/refunds/rules"
import { goodsPart, isUnderWay } from "../../modules/gateway/refunds/proposals/rules"
import type { RefundProposal } from "../../modules/gateway/refunds/proposals/records"
import { minorOf } from "../../providers/gateway-payment/session"
import { owedForReceived, readBooks, refundedOn } from "../refunds/order-books"
import { paymentOf } from "../refunds/medusa-payment"
import { syncRefundNow } from "../refunds/sync-order-refund"

type Confirmation = {
  /** In hundredths of the payment's currency; absent: all that is proposed, or what is left of it. */
  amount?: Minor
  by: By
  /** Of the admin's token: above their limit the refund waits for approval. */
  roles?: readonly string[]
  /** Who confirms, as the history names it; `AUTOMATIC`: the store's setting. */
  name: string
}

/**
 * Refunds the proposal, once; the order shows it when this answers. Errors: NOT_FOUND,
 * INVALID_STATE_TRANSITION (dismissed; another refund is being made at this moment), REFUND_EXCEEDED (more than is
 * still to be given back, or nothing is), and those of a refund (contract 4.8).
 */
export async function confirmProposal(
  container: MedusaContainer,
  id: string,
  confirmation: Confirmation
): Promise<RefundProposal> {
  const { refundProposals } = gatewayIn(container)
  const proposal = await refundProposals.retrieve(id)
  if (isUnderWay(proposal)) {
    return proposal
  }
  try {
    const confirmed = await confirm(container, proposal, confirmation)
    await syncRefundNow(container, confirmed.refund_id ?? "")
    return confirmed
  } catch (error) {
    const now = await refundProposals.retrieve(id)
    // Clicked twice: the first click is why the second one was refused.
    if (GatewayError.is(error) && isUnderWay(now)) {
      return now
    }
    throw error
  }
}

/**
 * What can be given back for a proposal now; an obstacle where that is nothing. In hundredths of the payment's
 * currency.
 */
export type RemainingToRefund = { amount: Minor; obstacle: Obstacle | null; refunded_minor: number }

/**
 * What was proposed may be owed no more: somebody has refunded it on the order page. So the order is asked again, and
 * only when its books and the gateway's agree.
 */
export async function remainingToRefund(
  container: MedusaContainer,
  proposal: RefundProposal
): Promise<RemainingToRefund> {
  const { refundProposals, transactions, refunds } = gatewayIn(container)
  const payment = await transactions.byId(proposal.transaction_id)
  const { refunded_minor, payment_session_id } = payment
  const nothing = (obstacle: Obstacle): RemainingToRefund => ({
    amount: 0n,
    obstacle,
    refunded_minor,
  })
  const obstacle = await refundProposals.obstacle(proposal.transaction_id)
  if (obstacle !== null) {
    return nothing(obstacle)
  }
  const medusaPayment = payment_session_id === null ? null : await paymentOf(container, payment_session_id)
  const books = await readBooks(container, proposal.order_id)
  const activeRefunds = (await refunds.list(proposal.transaction_id)).filter(
    ({ state }) => state === "processing" || state === "completed"
  )
  const refunded = activeRefunds.reduce((sum, refund) => sum + BigInt(refund.amount_minor), 0n)
  const references =
    medusaPayment === null ? [] : [medusaPayment.payment.id, ...medusaPayment.payment.refunds.map((row) => row.id)]
  if (!MathBN.eq(refundedOn(books, references), formatAmount(refunded))) {
    return nothing({ code: "INVALID_STATE_TRANSITION", reason: messageOf("refusal.order_being_written") })
  }
  const owed = minorOf(owedForReceived(books))
  const goods = goodsPart(proposal)
  const wanted = BigInt(proposal.amount_minor) - (owed < goods ? goods - owed : 0n)
  const left = refundable(payment)
  const amount = wanted < left ? wanted : left
  return amount > 0n
    ? { amount, obstacle: null, refunded_minor }
    : nothing({ code: "REFUND_EXCEEDED", reason: messageOf("refusal.proposal_not_owed") })
}

async function confirm(
  container: MedusaContainer,
  proposal: RefundProposal,
  confirmation: Confirmation
): Promise<RefundProposal> {
  const { refundProposals } = gatewayIn(container)
  const { amount: most, obstacle, refunded_minor } = await remainingToRefund(container, proposal)
  if (obstacle !== null) {
    throw new GatewayError(obstacle.code, obstacle.reason)
  }
  const amount = confirmation.amount ?? most
  if (amount > most) {
    const left = messageOf("refusal.proposal_left", { amount: statedAmount(most, proposal.currency) })
    throw new GatewayError("REFUND_EXCEEDED", left, { field: "amount" })
  }
  const { by, roles, name } = confirmation
  const reason = REASONS[proposal.kind]
  return refundProposals.confirm(proposal.id, { amount, refunded_minor, reason, by, roles, name })
}

const REASONS: Readonly<Record<RefundProposal["kind"], OwnReason>> = {
  return: "goods_returned",
  claim: "goods_claimed",
  cancellation: "order_cancelled",
  edit: "order_cheaper",
}
