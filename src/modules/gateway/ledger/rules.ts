import { messageOf } from "../../../i18n/message"
import type { Environment } from "../kernel/money/clock"
import { GatewayError } from "../kernel/errors"
import { statedAmount, type Minor } from "../kernel/money/money"

/**
 * The accounts of a merchant in one environment, kept apart by currency. Amounts are signed: money owed to somebody is
 * positive, money held for them negative, and every posting sums to zero. Source: decisions, Refunds (double entry).
 * - `merchant_balance`: available to the merchant for payouts and refunds
 * - `acquirer_clearing`: held by acquirers (negative)
 * - `fees`: earned by the gateway
 * - `refunds`: kept for refunds, until they are made
 * - `payouts`: paid out to the merchant
 * - `disputes`: the merchant's, but reserved until banks have decided its disputes
 * - `dispute_claims`: withdrawn by acquirers for disputes until then (negative); always `disputes` with the other sign
 *
 * Cash of orders that are paid at the door has accounts of its own. No acquirer holds it, and no payout pays it out:
 * - `cash_due`: still to come from couriers (negative)
 * - `cash_received`: handed over to the merchant (negative)
 * - `courier_charges`: kept by couriers for themselves (negative)
 * - `cash_orders`: what cash orders bring the merchant; always the other three together with the other sign
 *
 * What acquirers and couriers settle moves on, once a line of their settlement is matched:
 * - `settlements`: on its way to the merchant's bank (negative)
 * - `acquirer_fees`, `acquirer_vat`: kept by acquirers for themselves, and the tax on it (negative)
 * - `settlement_differences`: settled with other amounts than we know, and what is not ours to explain
 * - `bank`: has come to the merchant's account at its bank (negative)
 * - `bank_charges`: kept by the bank of what came (negative)
 *
 * - `emi_costs`: what banks keep for instalments that the merchant pays for, as agreed with the payment (negative).
 *   `acquirer_fees` has the same amount above zero until the settlement, which posts there all that was kept. So the two
 *   together are what acquirers have kept, and no cost is counted twice.
 */
export const ACCOUNTS = [
  "merchant_balance",
  "acquirer_clearing",
  "fees",
  "refunds",
  "payouts",
  "disputes",
  "dispute_claims",
  "cash_due",
  "cash_received",
  "courier_charges",
  "cash_orders",
  "settlements",
  "acquirer_fees",
  "acquirer_vat",
  "settlement_differences",
  "bank",
  "bank_charges",
  "emi_costs",
] as const
export type Account = (typeof ACCOUNTS)[number]

/** The balance of every account in one currency; zero for one without entries. */
export type Balances = Record<Account, Minor>

/** What a merchant has in a currency in which nothing has moved. */
export const NO_BALANCES = Object.fromEntries(ACCOUNTS.map((account) => [account, 0n])) as Balances

export const POSTING_KINDS = [
  "payment",
  "refund_reserved",
  "refund_completed",
  "refund_released",
  "refund_bounced",
  "surplus_received",
  "surplus_returned",
  "payout",
  "payout_reversed",
  "dispute_opened",
  "dispute_fee",
  "dispute_won",
  "dispute_lost",
  "dispute_reinstated",
  "dispute_fee_returned",
  "cash_ordered",
  "cash_collected",
  "cash_given_up",
  "cash_returned",
  "settlement_matched",
  "settlement_undone",
  "deposit_matched",
  "deposit_undone",
] as const
export type PostingKind = (typeof POSTING_KINDS)[number]

/** Entries that belong together. `id` is derived from the subject, so that the same thing cannot be posted twice. */
export type Posting = {
  id: string
  kind: PostingKind
  merchant_id: string
  environment: Environment
  currency: string
  transaction_id: string | null
  refund_id: string | null
  payout_id: string | null
  dispute_id: string | null
  /** The merchant's clock. */
  occurred_at: Date
  lines: readonly { account: Account; amount: Minor }[]
}

export type Owner = { merchant_id: string; environment: Environment; currency: string }
/** What a posting is about; what is left out is null. */
type References = Partial<Pick<Posting, "transaction_id" | "refund_id" | "payout_id" | "dispute_id">>

/**
 * A payment came in: the merchant receives it minus the fee, which the gateway keeps even if the payment is refunded, as
 * the bank keeps `emi_cost_minor`.
 */
export function paymentPosting(
  payment: Owner & { transaction_id: string; amount_minor: number; charge_minor: number; emi_cost_minor: number },
  occurred_at: Date
): Posting {
  const [amount, fee] = [BigInt(payment.amount_minor), BigInt(payment.charge_minor)]
  const references = { transaction_id: payment.transaction_id }
  return posting(`${payment.transaction_id}:paid`, "payment", payment, references, occurred_at, {
    acquirer_clearing: -amount,
    merchant_balance: amount - fee,
    fees: fee,
    ...moved(payment.emi_cost_minor, "emi_costs", "acquirer_fees"),
  })
}

/**
 * One capture of reserved money: the merchant receives it minus its share of the fee. Hundredths of the currency.
 * `emi_cost`: of the whole payment, with its first capture.
 */
export function capturePosting(
  capture: Owner & { transaction_id: string; id: string; amount: Minor; charge: Minor; emi_cost: Minor },
  occurred_at: Date
): Posting {
  const { transaction_id, amount, charge, emi_cost } = capture
  return posting(`${capture.id}:captured`, "payment", capture, { transaction_id }, occurred_at, {
    acquirer_clearing: -amount,
    merchant_balance: amount - charge,
    fees: charge,
    ...moved(emi_cost, "emi_costs", "acquirer_fees"),
  })
}

type PostedRefund = Owner & { id: string; transaction_id: string; amount_minor: number }

/** From the moment a refund is accepted its money is the shopper's: the merchant can no longer have it paid out. */
export function refundReserved(refund: PostedRefund, occurred_at: Date): Posting {
  const amounts = moved(refund.amount_minor, "merchant_balance", "refunds")
  return posting(`${refund.id}:reserved`, "refund_reserved", refund, ofRefund(refund), occurred_at, amounts)
}

/** The acquirer has paid the refund out of the money it holds. */
export function refundCompleted(refund: PostedRefund, occurred_at: Date): Posting {
  const amounts = moved(refund.amount_minor, "refunds", "acquirer_clearing")
  return posting(`${refund.id}:settled`, "refund_completed", refund, ofRefund(refund), occurred_at, amounts)
}

/** The refund failed or was cancelled: the money is the merchant's again. */
export function refundReleased(refund: PostedRefund, occurred_at: Date): Posting {
  const amounts = moved(refund.amount_minor, "refunds", "merchant_balance")
  return posting(`${refund.id}:settled`, "refund_released", refund, ofRefund(refund), occurred_at, amounts)
}

/** A refund that was paid out came back: the acquirer holds the money again, and it is the merchant's. */
export function refundBounced(refund: PostedRefund, occurred_at: Date): Posting {
  const amounts = moved(refund.amount_minor, "acquirer_clearing", "merchant_balance")
  return posting(`${refund.id}:bounced`, "refund_bounced", refund, ofRefund(refund), occurred_at, amounts)
}

type PostedSurplus = Owner & { attempt_id: string; transaction_id: string; surplus_minor: number }

/** Money came for an attempt that can pay nothing any more: the acquirer holds it, and it is the shopper's. */
export function surplusReceived(surplus: PostedSurplus, occurred_at: Date): Posting {
  const amounts = moved(surplus.surplus_minor, "acquirer_clearing", "refunds")
  return posting(`${surplus.attempt_id}:surplus`, "surplus_received", surplus, ofSurplus(surplus), occurred_at, amounts)
}

/** The acquirer has given the surplus back. */
export function surplusReturned(surplus: PostedSurplus, occurred_at: Date): Posting {
  const amounts = moved(surplus.surplus_minor, "refunds", "acquirer_clearing")
  return posting(
    `${surplus.attempt_id}:returned`,
    "surplus_returned",
    surplus,
    ofSurplus(surplus),
    occurred_at,
    amounts
  )
}

/**
 * A payout of a merchant's balance, or its reversal. `amount` is in hundredths of `currency`. Each of the two has an id
 * of its own, so each is posted at most once.
 */
export function payoutPosting(
  payout: Owner & { id: string; amount: Minor },
  kind: Extract<PostingKind, "payout" | "payout_reversed">,
  occurred_at: Date
): Posting {
  const isPaid = kind === "payout"
  const [from, to] = isPaid ? (["merchant_balance", "payouts"] as const) : (["payouts", "merchant_balance"] as const)
  const id = `${payout.id}:${isPaid ? "paid" : "reversed"}`
  return posting(id, kind, payout, { payout_id: payout.id }, occurred_at, moved(payout.amount, from, to))
}

/** Amounts in hundredths of the currency of the payment. */
type PostedDispute = Owner & { id: string; transaction_id: string; amount_minor: number; fee_minor: number }

/**
 * The acquirer has withdrawn the disputed amount. The merchant can neither have it paid out nor refund it until the bank
 * has decided (docs/decisions/10).
 */
export function disputeOpened(dispute: PostedDispute, occurred_at: Date): Posting {
  return disputePosting(dispute, "opened", "dispute_opened", occurred_at, {
    ...moved(dispute.amount_minor, "dispute_claims", "acquirer_clearing"),
    ...moved(dispute.amount_minor, "merchant_balance", "disputes"),
  })
}

/** The acquirer's fee for a dispute. The merchant pays it, won or lost, unless the acquirer returns it. */
export function disputeFee(dispute: PostedDispute, occurred_at: Date): Posting {
  const amounts = moved(dispute.fee_minor, "merchant_balance", "acquirer_clearing")
  return disputePosting(dispute, "fee", "dispute_fee", occurred_at, amounts)
}

/** The acquirer has given back what it charged for a dispute: `fee_minor` is the merchant's again. */
export function disputeFeeReturned(dispute: PostedDispute, occurred_at: Date): Posting {
  const amounts = moved(dispute.fee_minor, "acquirer_clearing", "merchant_balance")
  return disputePosting(dispute, "fee_returned", "dispute_fee_returned", occurred_at, amounts)
}

/** The acquirer has put the amount back: it is the merchant's again. */
export function disputeWon(dispute: PostedDispute, occurred_at: Date): Posting {
  return disputePosting(dispute, "decided", "dispute_won", occurred_at, {
    ...moved(dispute.amount_minor, "acquirer_clearing", "dispute_claims"),
    ...moved(dispute.amount_minor, "disputes", "merchant_balance"),
  })
}

/** The bank keeps the amount: the merchant's reserve pays the claim. It has the posting id of `disputeWon`. */
export function disputeLost(dispute: PostedDispute, occurred_at: Date): Posting {
  const amounts = moved(dispute.amount_minor, "disputes", "dispute_claims")
  return disputePosting(dispute, "decided", "dispute_lost", occurred_at, amounts)
}

/** A lost dispute was decided anew, for the merchant: the acquirer has put the amount back after all. */
export function disputeReinstated(dispute: PostedDispute, occurred_at: Date): Posting {
  const amounts = moved(dispute.amount_minor, "acquirer_clearing", "merchant_balance")
  return disputePosting(dispute, "reinstated", "dispute_reinstated", occurred_at, amounts)
}

/** What moves between two accounts; money held for somebody is negative, so an account may fall below zero. */
export function moved(minor: number | Minor, from: Account, to: Account): Partial<Record<Account, Minor>> {
  return { [from]: -BigInt(minor), [to]: BigInt(minor) }
}

function disputePosting(
  dispute: PostedDispute,
  what: string,
  kind: PostingKind,
  occurred_at: Date,
  amounts: Partial<Record<Account, Minor>>
): Posting {
  const { id: dispute_id, transaction_id } = dispute
  return posting(`${dispute_id}:${what}`, kind, dispute, { transaction_id, dispute_id }, occurred_at, amounts)
}

/** Both amounts are in `currency`. Throws INSUFFICIENT_BALANCE with the available amount. */
export function requireBalance(available: Minor, amount: Minor, currency: string): void {
  if (amount > available) {
    const params = { balance: statedAmount(available, currency), amount: statedAmount(amount, currency) }
    throw new GatewayError("INSUFFICIENT_BALANCE", messageOf("refusal.balance_too_low", params))
  }
}

function ofRefund({ id, transaction_id }: PostedRefund): References {
  return { transaction_id, refund_id: id }
}

function ofSurplus({ transaction_id }: PostedSurplus): References {
  return { transaction_id }
}

/** Leaves out accounts with an amount of zero. */
export function posting(
  id: string,
  kind: PostingKind,
  { merchant_id, environment, currency }: Owner,
  { transaction_id = null, refund_id = null, payout_id = null, dispute_id = null }: References,
  occurred_at: Date,
  amounts: Partial<Record<Account, Minor>>
): Posting {
  const lines = ACCOUNTS.flatMap((account) => {
    const amount = amounts[account] ?? 0n
    return amount === 0n ? [] : [{ account, amount }]
  })
  const references = { transaction_id, refund_id, payout_id, dispute_id }
  return { id, kind, merchant_id, environment, currency, ...references, occurred_at, lines }
}
