import type { PresentedMessage, Say } from "../text"
import type { presentRefund } from "../../../api/admin/gateway/refunds/resource"
import type { presentWithRest } from "../../../api/admin/gateway/refund-proposals/resource"
import type { Json } from "../http"
import type { TimelineEntry, Unresolved } from "../payments/types"
import type { SentReceipt } from "../receipts/receipt"
import type { Color } from "../ui/bits"

export const REFUND_STATUSES: readonly RefundStatus[] = ["pending", "processing", "completed", "failed", "cancelled"]

export type Refund = Json<ReturnType<typeof presentRefund>>

type RefundStatus = Refund["status"]

/** As `useMessage` gives them. */
type Words = (message: PresentedMessage) => string

/** The reason in words: one of the gateway's own by its code, any other as it was said. */
export function why(words: Words, { reason }: { reason: string }): string {
  return words({ kind: `refund_reason.${reason}`, message: reason })
}

type RefundEntry = Extract<TimelineEntry, { type: "refund_requested" | "refund_ended" }>

/** What became of a refund, for the payment's timeline; `amount` as people read it. */
export function refundText(entry: RefundEntry, { say, words }: { say: Say; words: Words }, amount: string): string {
  return entry.type === "refund_requested"
    ? say("payments.timeline.refund_requested", { amount, reason: why(words, entry) })
    : say(`payments.timeline.refund_${entry.status}`, { amount, reason: entry.error_message ?? "" })
}

/** In the list: with whose payment it is of; null: the payment has been forgotten. */
export type ListedRefund = Refund & Paid & { order_number: string | null; payment_source: string | null }
/** Of a payment that has been forgotten, nobody is known. */
type Paid = { customer: { name: string; email: string } | null }

/** One refund in full: with the names of the admins who requested and decided. */
export type NamedRefund = Omit<Refund, "unresolved"> &
  Paid & {
    unresolved: Unresolved | null
    requested_by_name: string | null
    reviewed_by_name: string | null
    dealt_with_by_name: string | null
    /** Why the signed-in admin may not approve it. */
    approval_obstacle: PresentedMessage | null
    receipts: SentReceipt[]
  }

/** What the form needs to know of a payment to refund it. */
export type Refundable = {
  id: string
  currency: string
  amount: string
  refunded_amount: string
  waiting_amount: string
  refundable_amount: string
  refund_obstacle: (PresentedMessage & { code: string }) | null
}

export const REFUND_COLORS: Readonly<Record<RefundStatus, Color>> = {
  pending: "orange",
  processing: "blue",
  completed: "green",
  failed: "red",
  cancelled: "grey",
}

export const PROPOSAL_STATUSES: readonly ProposalStatus[] = ["open", "refunding", "refunded", "failed", "dismissed"]

/** `refundable_amount`: at this moment; null after the decision. */
export type Proposal = Json<ReturnType<typeof presentWithRest>>

type ProposalStatus = Proposal["status"]

/** What a requested return will propose when all of it is received. */
export type ExpectedRefund = Pick<Proposal, "items" | "shipping_amount" | "amount" | "currency"> & {
  return_id: string
  display_id: number
  automatic: boolean
}

/** Nothing is refunded before an admin decides. */
export function isWaiting({ status }: Pick<Proposal, "status">): boolean {
  return status === "open" || status === "failed"
}

export const PROPOSAL_COLORS: Readonly<Record<ProposalStatus, Color>> = {
  open: "orange",
  refunding: "blue",
  refunded: "green",
  failed: "red",
  dismissed: "grey",
}

/** In a list over many orders: with the order's number. */
export type ListedProposal = Proposal & {
  medusa_order_number: number | null
  customer?: { name: string; email: string } | null
}

/** A refund on an order's page, with the state of its sync to the order. */
export type OrderRefund = Pick<
  Refund,
  "id" | "transaction_id" | "status" | "amount" | "currency" | "reason" | "error_message"
> & {
  on_order: "waiting" | "shown" | "undone" | "dropped"
  last_error: PresentedMessage | null
}

/** Of a line of a batch that was refused at once, both are null. */
export type OfPayment = { order_number: string | null; customer: { name: string } | null }

export type BatchRefund = {
  position: number
  transaction_id: string
  status: RefundStatus
  error_message: string | null
  /** Why it was refused at once. */
  refusal?: PresentedMessage
} & OfPayment &
  ({ id: null } | Pick<Refund, "id" | "amount" | "currency" | "held_for" | "reason">)

export type RefundBatch = {
  id: string
  total: number
  created_at: string
  progress: Record<RefundStatus, number>
  finished: boolean
  refunds: BatchRefund[]
}

/** What a refund form holds: decimal text as typed, and the reason. */
export type RefundDraft = { amount: string; reason: string }

/** Why the form cannot be confirmed yet. */
export type RefundFaults = {
  amount?: "refunds.amount_invalid" | "refunds.amount_over"
  reason?: "refunds.reason_missing"
}

const AMOUNT = /^[0-9]{1,12}(?:\.[0-9]{1,2})?$/
/** As long as the API takes. */
export const REASON_MAX_CHARS = 500

/** Decimal text in hundredths of the currency; null for what is no amount. Never a float. */
export function minorOf(text: string): bigint | null {
  if (!AMOUNT.test(text)) {
    return null
  }
  const [whole, fraction = ""] = text.split(".")
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, "0"))
}

export function decimalOf(minor: bigint): string {
  return `${minor / 100n}.${(minor % 100n).toString().padStart(2, "0")}`
}

/** What is wrong with an amount of at most `most`, both as decimal text. */
export function amountFault(amount: string, most: string): RefundFaults["amount"] {
  const minor = minorOf(amount.trim())
  if (minor === null || minor === 0n) {
    return "refunds.amount_invalid"
  }
  return minor > (minorOf(most) ?? 0n) ? "refunds.amount_over" : undefined
}

/** Checks the form before anybody is asked to confirm; `refundable` is what is left of the payment. The API checks again. */
export function faultsOf({ amount, reason }: RefundDraft, refundable: string): RefundFaults {
  const wrong = amountFault(amount, refundable)
  return {
    ...(wrong === undefined ? {} : { amount: wrong }),
    ...(reason.trim() === "" ? { reason: "refunds.reason_missing" as const } : {}),
  }
}

/** Amounts to choose with one click: all that is left, a half and a quarter of it, rounded down to the hundredth. */
export function quickAmounts(refundable: string): { share: "all" | "half" | "quarter"; amount: string }[] {
  const most = minorOf(refundable) ?? 0n
  const shares = [
    { share: "all", minor: most },
    { share: "half", minor: most / 2n },
    { share: "quarter", minor: most / 4n },
  ] as const
  return shares.filter(({ minor }) => minor > 0n).map(({ share, minor }) => ({ share, amount: decimalOf(minor) }))
}
