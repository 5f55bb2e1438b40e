import type { messages } from "../../../i18n/en/messages"
import type { Language } from "../../../i18n/languages"
import { messageOf } from "../../../i18n/message"
import { textGroup } from "../../../i18n/translate"
import { addBusinessDays } from "../kernel/money/calendar"
import { addSeconds } from "../kernel/money/clock"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import { HOME_CURRENCY } from "../kernel/money/currencies"
import { statedAmount, type Minor } from "../kernel/money/money"
import type { RoleLimit } from "../kernel/types"
import type { TransactionState } from "../payments/states"

export const REFUND_TYPES = ["full", "partial"] as const
export type RefundType = (typeof REFUND_TYPES)[number]

/** Why a refund starts `pending`: it needs an admin's approval, or it waits for its turn in a batch. */
export const REFUND_HOLDS = ["approval", "batch"] as const
export type RefundHold = (typeof REFUND_HOLDS)[number]

/** Reasons of the gateway's and the store's own refunds; the catalogue has their words (docs/decisions/06). */
export type OwnReason = keyof typeof messages.refund_reason

/** A reason as people read it: the words of a code, in the reader's language, or what was said. */
export function refundReasonText(reason: string, language: Language): string {
  return textGroup("messages", "refund_reason", language)[reason] ?? reason
}

/** The facts about the transaction, read under its lock. Amounts in hundredths of its currency. */
export type RefundFacts = {
  state: TransactionState
  currency: string
  amount_minor: number
  /** The sum of pending, processing and completed refunds. */
  refunded_minor: number
  /** The sum of disputes that are open or lost; an acquirer may have withdrawn more than refunds had left. */
  disputed_minor: number
  verified_at: Date | null
  supports_refunds: boolean
  /** The merchant's clock. */
  now: Date
}

/** What can still be refunded of a payment: neither refunds nor disputes have taken it. Never negative. */
export function refundable(facts: Pick<RefundFacts, "amount_minor" | "refunded_minor" | "disputed_minor">): Minor {
  return BigInt(Math.max(facts.amount_minor - facts.refunded_minor - facts.disputed_minor, 0))
}

export type WantedRefund = { amount?: Minor; type?: RefundType }

/**
 * Decides the amount and the type of a refund. Errors, in this order: ALREADY_REFUNDED (nothing is left),
 * REFUND_NOT_ALLOWED (no money was taken, or the payment service cannot), REFUND_WINDOW_EXPIRED, REFUND_EXCEEDED,
 * VALIDATION_ERROR (a full refund of less than the remainder). Source: contract 4.8; decisions: Refunds.
 */
export function decideRefund(facts: RefundFacts, request: WantedRefund): { amount: Minor; type: RefundType } {
  const remaining = refundable(facts)
  const isRefunded = facts.refunded_minor >= facts.amount_minor
  if (facts.state === "REFUNDED" || (facts.state === "SUCCESS" && isRefunded)) {
    throw new GatewayError("ALREADY_REFUNDED")
  }
  if (facts.state !== "SUCCESS" || facts.verified_at === null) {
    throw new GatewayError("REFUND_NOT_ALLOWED", messageOf("refusal.refund_of_success"))
  }
  if (remaining === 0n) {
    throw new GatewayError("REFUND_NOT_ALLOWED", messageOf("refusal.refund_disputed"))
  }
  if (!facts.supports_refunds) {
    throw new GatewayError("REFUND_NOT_ALLOWED", messageOf("refusal.refund_unsupported"))
  }
  if (facts.now > addSeconds(facts.verified_at, LIMITS.refundWindowDays * 86_400)) {
    throw new GatewayError("REFUND_WINDOW_EXPIRED")
  }
  const amount = request.amount ?? remaining
  if (amount > remaining) {
    const reason = messageOf("refusal.refund_left", { amount: statedAmount(remaining, facts.currency) })
    throw new GatewayError("REFUND_EXCEEDED", reason, { field: "refund_amount" })
  }
  if (request.type === "full" && amount < remaining) {
    const rule = messageOf("rule.full_refund", { amount: statedAmount(remaining, facts.currency) })
    throw validationError([fault("refund_amount", rule)])
  }
  return { amount, type: request.type ?? (amount < remaining ? "partial" : "full") }
}

/** A merchant's limits of what is refunded without an admin's approval, in poisha; null: none (decisions: Approval). */
export type ApprovalLimits = {
  /** Of one payment, at any time. */
  refund_approval_threshold_minor: number | null
  /** Of a day, all requests together. */
  refund_daily_limit_minor: number | null
  /** Of a day, by each requester: a key, an admin, returns that are refunded automatically. */
  refund_daily_key_limit_minor: number | null
}

/** Sums of refunds that nobody has approved, in poisha, the one that is decided about included. */
export type Unapproved = { payment: Minor; day: Minor; requester: Minor }

/** Whether a limit has to be compared with what is refunded within a day. */
export function hasDailyLimit(limits: ApprovalLimits): boolean {
  return limits.refund_daily_limit_minor !== null || limits.refund_daily_key_limit_minor !== null
}

/**
 * Whether an admin has to approve: with this refund, a sum is above the merchant's limit of it. Sums, because whoever
 * may refund could otherwise split a refund. Limits are in poisha and cannot be compared with another currency: there
 * every refund needs approval (docs/decisions/08).
 */
export function needsApproval(currency: string, sums: Unapproved, limits: ApprovalLimits): boolean {
  const compared = [
    [limits.refund_approval_threshold_minor, sums.payment],
    [limits.refund_daily_limit_minor, sums.day],
    [limits.refund_daily_key_limit_minor, sums.requester],
  ] as const
  return compared.some(([limit, sum]) => limit !== null && (currency !== HOME_CURRENCY || sum > BigInt(limit)))
}

/** An admin's limit: the highest one of their roles, in poisha. Null: none of these roles has one. */
export function roleLimit(limits: readonly RoleLimit[] | null, roles: readonly string[]): Minor | null {
  const own = (limits ?? []).filter(({ role_id }) => roles.includes(role_id))
  return own.length === 0 ? null : BigInt(Math.max(...own.map(({ amount_minor }) => amount_minor)))
}

/**
 * The admin's limit, where a refund is above it; null: it is not. `given_back`: what goes back of the payment in all, the
 * refund included. Unlike the sums above it has what was approved too: an admin who approves would else have the limit
 * again after each approval. Nothing in another currency is within it.
 */
export function exceededRoleLimit(
  { currency, refund_role_limits }: { currency: string; refund_role_limits: readonly RoleLimit[] | null },
  given_back: Minor,
  roles: readonly string[]
): Minor | null {
  const limit = roleLimit(refund_role_limits, roles)
  return limit !== null && (currency !== HOME_CURRENCY || given_back > limit) ? limit : null
}

/** A refund reaches the shopper within this many business days (decisions: Refunds). */
const REFUND_BUSINESS_DAYS = 7

export function estimatedCompletion(requestedAt: Date): Date {
  return addBusinessDays(requestedAt, REFUND_BUSINESS_DAYS)
}
