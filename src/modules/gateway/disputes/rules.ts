import { messageOf } from "../../../i18n/message"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { formatAmount, statedAmount, type Minor } from "../kernel/money/money"
import type { TransactionState } from "../payments/states"
import { disputeMachine, type DisputeState, type DisputeTrigger } from "./states"

/** Why a payer disputes, in Stripe's words; what a bank says in others is `general`. */
export const DISPUTE_REASONS = [
  "fraudulent",
  "duplicate",
  "product_not_received",
  "product_unacceptable",
  "credit_not_processed",
  "subscription_canceled",
  "unrecognized",
  "general",
] as const
export type DisputeReason = (typeof DISPUTE_REASONS)[number]

/** Who decides the state of a dispute: an admin, from the bank's letters, or the acquirer, from its API. */
export const DISPUTE_SOURCES = ["admin", "acquirer"] as const
export type DisputeSource = (typeof DISPUTE_SOURCES)[number]

/** The e-mails to the merchant. */
export const DISPUTE_NOTIFICATIONS = ["opened", "reminder", "missed", "closed"] as const
export type DisputeNotification = (typeof DISPUTE_NOTIFICATIONS)[number]

/** What a file of evidence shows; banks take one of each. */
export const FILE_KINDS = [
  "receipt",
  "customer_communication",
  "shipping_documentation",
  "service_documentation",
  "refund_policy",
  "cancellation_policy",
  "other",
] as const
export type FileKind = (typeof FILE_KINDS)[number]

export const MEDIA_TYPES = ["application/pdf", "image/jpeg", "image/png"] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** Stripe's limits: 20,000 characters of text, and 4.5 MB of files in all, of which one may have all. */
export const EVIDENCE_TEXT_MAX_CHARS = 20_000
export const EVIDENCE_FILES_MAX_BYTES = 4_500_000
const FILE_NAME_MAX_CHARS = 100
export const NOTE_MAX_CHARS = 500
export const REFERENCE_MAX_CHARS = 100

/** How long before the deadline the merchant is reminded. */
export const REMINDER_DAYS = 3

/** The states in which the acquirer has the disputed money, or has given it to the payer. */
const TAKING_STATES = ["needs_response", "under_review", "lost"] as const satisfies readonly DisputeState[]
/** The states in which evidence may still be submitted. */
const ANSWERABLE_STATES = ["inquiry", "needs_response"] as const satisfies readonly DisputeState[]

/**
 * The part of its payment's amount that a dispute takes. No refund, and no other dispute that an admin records, may
 * take it too.
 */
export function takenBy({ state, amount_minor }: { state: DisputeState; amount_minor: number }): number {
  return TAKING_STATES.some((taking) => taking === state) ? amount_minor : 0
}

export function awaitsResponse(dispute: { state: DisputeState; submitted_at: Date | null }): boolean {
  return dispute.submitted_at === null && ANSWERABLE_STATES.some((state) => state === dispute.state)
}

/** Errors: INVALID_STATE_TRANSITION. */
export function requireAnswerable(dispute: Parameters<typeof awaitsResponse>[0]): void {
  if (!awaitsResponse(dispute)) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.dispute_answered"))
  }
}

export function isClosed(state: DisputeState): boolean {
  return state === "won" || state === "lost" || state === "closed"
}

/** The facts about the payment, read under its lock. Amounts in hundredths of its currency. */
export type DisputableFacts = {
  state: TransactionState
  currency: string
  amount_minor: number
  refunded_minor: number
  disputed_minor: number
}

/**
 * The amount of a dispute that an admin records. What is refunded or disputed already cannot be disputed once more: a
 * payer who has the money back has lost nothing. Errors: DISPUTE_NOT_ALLOWED (no money was taken, or none is left),
 * DISPUTE_EXCEEDED. An acquirer that has withdrawn more is believed, because the money is gone (docs/decisions/10).
 */
export function decideDispute(facts: DisputableFacts, wanted: Minor | undefined): Minor {
  const { amount_minor, refunded_minor, disputed_minor, currency } = facts
  const taken = refunded_minor + disputed_minor
  const left = BigInt(amount_minor - taken)
  if ((facts.state !== "SUCCESS" && facts.state !== "REFUNDED") || left <= 0n) {
    // A payment is REFUNDED once its last refund is completed.
    const key = facts.state === "REFUNDED" ? "refusal.dispute_refunded" : "refusal.dispute_refund_waiting"
    throw new GatewayError("DISPUTE_NOT_ALLOWED", refunded_minor === amount_minor ? messageOf(key) : undefined)
  }
  const amount = wanted ?? left
  if (amount > left) {
    const key = taken > 0 ? "refusal.dispute_left_over" : "refusal.dispute_left"
    const reason = messageOf(key, { amount: statedAmount(left, currency), taken: statedAmount(taken, currency) })
    throw new GatewayError("DISPUTE_EXCEEDED", reason, { field: "amount" })
  }
  return amount
}

/**
 * The triggers from our state to the one that the acquirer reports; notifications of some may have been lost. Null: no
 * transition leads there, so the report is older than our state, or contradicts it. `accept` is left out, because only
 * the merchant accepts.
 */
export function stepsTo(from: DisputeState, to: DisputeState): DisputeTrigger[] | null {
  const reached = new Map<DisputeState, DisputeTrigger[]>([[from, []]])
  for (const [state, steps] of reached) {
    for (const transition of disputeMachine.transitions) {
      if (transition.from === state && transition.on !== "accept" && !reached.has(transition.to)) {
        reached.set(transition.to, [...steps, transition.on])
      }
    }
  }
  return reached.get(to) ?? null
}

const SIGNATURES: readonly (readonly [MediaType, Buffer])[] = [
  ["application/pdf", Buffer.from("%PDF-")],
  ["image/jpeg", Buffer.from([0xff, 0xd8, 0xff])],
  ["image/png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
]
const EXTENSIONS: Readonly<Record<MediaType, string>> = {
  "application/pdf": "pdf",
  "image/jpeg": "jpg",
  "image/png": "png",
}

/**
 * The type of a file, read from its first bytes. Its name and the browser's type prove nothing. Errors:
 * VALIDATION_ERROR for anything but PDF, JPEG and PNG, for an empty file and for one that is too large beside the
 * others.
 */
export function checkFile(content: Buffer, othersBytes: number): MediaType {
  const [mediaType] = SIGNATURES.find(([, first]) => content.subarray(0, first.length).equals(first)) ?? []
  if (mediaType === undefined) {
    throw validationError([fault("file", messageOf("rule.evidence_type"))])
  }
  if (content.length + othersBytes > EVIDENCE_FILES_MAX_BYTES) {
    const megabytes = EVIDENCE_FILES_MAX_BYTES / 1_000_000
    throw validationError([fault("file", messageOf("rule.evidence_size", { megabytes }))])
  }
  return mediaType
}

/** A name that is safe in a header and on any disk: ASCII, without a path, with the extension of what the file is. */
export function safeFileName(name: string, mediaType: MediaType): string {
  const plain = name
    .normalize("NFKD")
    .replace(/^.*[/\\]/, "")
    .replace(/\.[^.]*$/, "")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
  return `${plain.slice(0, FILE_NAME_MAX_CHARS) || "evidence"}.${EXTENSIONS[mediaType]}`
}

/** What an event says of a dispute; amounts in hundredths of the currency, times on the merchant's clock. */
export type EventFacts = {
  id: string
  transaction_id: string
  order_id: string
  state: DisputeState
  reason: DisputeReason
  amount_minor: number
  fee_minor: number
  currency: string
  acquirer_reference: string
  due_by: Date | null
  missed_at: Date | null
  accepted_at: Date | null
}

/** The data of `dispute.*` events (docs/decisions/10). */
export function eventData(dispute: EventFacts) {
  return {
    dispute_id: dispute.id,
    transaction_id: dispute.transaction_id,
    order_id: dispute.order_id,
    status: dispute.state,
    reason: dispute.reason,
    amount: formatAmount(dispute.amount_minor),
    fee_amount: formatAmount(dispute.fee_minor),
    currency: dispute.currency,
    reference: dispute.acquirer_reference,
    evidence_due_by: dispute.due_by?.toISOString() ?? null,
    is_overdue: dispute.missed_at !== null,
    accepted: dispute.state === "lost" && dispute.accepted_at !== null,
  }
}
