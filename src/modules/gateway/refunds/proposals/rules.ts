import type { Minor } from "../../kernel/money/money"
import type { RoleLimit } from "../../kernel/types"
import type { RefundState } from "../states"
import type { ProposalState } from "./states"

/**
 * What a proposal comes from: goods that are back, a claim that is paid out, an order that is called off, and one that
 * costs less than was paid for it: by an order edit, or because its balance was paid while it was changed.
 */
export const PROPOSAL_KINDS = ["return", "claim", "cancellation", "edit"] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

/** What an admin reads of a proposal: its own state, and once confirmed that of its refund. */
export const PROPOSAL_STATUSES = ["open", "refunding", "refunded", "failed", "dismissed"] as const
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number]

/**
 * The status that an admin reads. `refund_state`: of the refund of the last try; null before the proposal is confirmed.
 * A refund that failed or was cancelled makes the proposal `failed`.
 */
export function statusOf({
  state,
  refund_state,
}: {
  state: ProposalState
  refund_state: RefundState | null
}): ProposalStatus {
  if (state !== "confirmed") {
    return state
  }
  if (refund_state === "failed" || refund_state === "cancelled") {
    return "failed"
  }
  return refund_state === "completed" ? "refunded" : "refunding"
}

/** Confirmed, and its refund has not failed: nothing can be decided about it any more. */
export function isUnderWay(proposal: { state: ProposalState; refund_state: RefundState | null }): boolean {
  return ["refunding", "refunded"].includes(statusOf(proposal))
}

/** Who confirms where the store's setting does; above the merchant's threshold such a refund waits for an admin. */
export const AUTOMATIC = "automatic"

/**
 * Whether the store's setting confirms a proposal without an admin. Where roles have limits it is returns alone: what an
 * admin does to an order (an edit, a claim, a cancellation) would else give back more than their limit (decisions:
 * Approval of refunds).
 */
export function confirmsItself(
  settings: { returns_automatic: boolean; refund_role_limits: readonly RoleLimit[] | null },
  kind: ProposalKind
): boolean {
  return settings.returns_automatic && (kind === "return" || (settings.refund_role_limits ?? []).length === 0)
}

const KEY = "proposal:"

/** The request key of a proposal's refund. Each try has a key of its own. */
export function proposalKey({ id, tries }: { id: string; tries: number }): string {
  return `${KEY}${id}:${tries}`
}

/** The id of the proposal in a refund's request key; null when the refund was requested otherwise. */
export function proposalOf(request_key: string | null): string | null {
  return request_key?.startsWith(KEY) ? request_key.split(":")[1] : null
}

/** Parts of a unit that are distinguished: Medusa's quantities may be fractions. */
const PARTS = 1_000_000n

/**
 * One line of an order, as goods of it come back. Quantities are decimal text; amounts in hundredths of the payment's
 * currency.
 */
export type LineComingBack = {
  item_id: string
  title: string
  /** What was paid for the whole line, discounts and tax included. */
  paid: Minor
  ordered: string
  /** What comes back now, and how much of that is damaged. */
  quantity: string
  damaged: string
}

export type ProposedLine = { item_id: string; title: string; quantity: string; damaged: string; amount_minor: number }

/**
 * The value of the units that come back now: the share of all units that are back by then, rounded down, less the value
 * of the earlier ones. So the last unit takes the remainder of the rounding, and together they never exceed what was
 * paid for the line. `before`: the units of the line that came back earlier.
 */
export function valueOf(line: LineComingBack, before: readonly ProposedLine[]): Minor {
  const own = before.filter(({ item_id }) => item_id === line.item_id)
  const quantity = own.reduce((sum, earlier) => sum + parts(earlier.quantity), 0n) + parts(line.quantity)
  const given = own.reduce((sum, { amount_minor }) => sum + BigInt(amount_minor), 0n)
  const ordered = parts(line.ordered)
  const back = quantity >= ordered ? line.paid : (line.paid * quantity) / ordered
  return back > given ? back - given : 0n
}

/** Millionths of a unit; finer fractions are cut off. */
function parts(quantity: string): bigint {
  const [whole, fraction = ""] = quantity.split(".")
  return BigInt(whole) * PARTS + BigInt(fraction.padEnd(6, "0").slice(0, 6))
}

type ProposalLimits = {
  /** What the store owes by the order's own count, less other proposals. */
  owed: Minor
  /** What is left of the payment. */
  refundable: Minor
}

/**
 * The proposed amount. It has the goods' value as far as the store owes it: a return's fee and goods sent in exchange
 * reduce that. Delivery and claims are added. It is never more than is left of the payment.
 */
export function proposedAmount(value: { goods: Minor; beyond: Minor }, { owed, refundable }: ProposalLimits): Minor {
  const goods = value.goods < owed ? value.goods : owed
  const amount = goods + value.beyond
  return amount < refundable ? amount : refundable
}

/** The part of a proposal's amount that the store owes by the order's count. The rest is given beyond that. */
export function goodsPart({ amount_minor, beyond_minor }: { amount_minor: number; beyond_minor: number }): Minor {
  return BigInt(Math.max(0, amount_minor - beyond_minor))
}
