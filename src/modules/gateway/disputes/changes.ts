import type { AuditEntry } from "../kernel/database/audit"
import { formatAmount } from "../kernel/money/money"
import {
  disputeFee,
  disputeFeeReturned,
  disputeLost,
  disputeOpened,
  disputeReinstated,
  disputeWon,
  type Posting,
} from "../ledger/rules"
import type { Dispute } from "./records"
import { isClosed, type DisputeNotification } from "./rules"
import { disputeMachine, type DisputeTrigger } from "./states"

/** What becomes of a dispute in one transaction: pure, until write-changes.ts writes it. Events carry it as it was then. */
export type Changing = {
  dispute: Dispute
  events: { type: string; dispute: Dispute }[]
  postings: Posting[]
  audited: Pick<AuditEntry, "action" | "before" | "after">[]
  /** The e-mail to the merchant that this makes due. */
  notice: DisputeNotification | null
}

/** A dispute that has just been recorded, as an inquiry. */
export function created(dispute: Dispute): Changing {
  return { dispute, events: [], postings: [], audited: [], notice: "opened" }
}

/** A dispute that is recorded already. */
export function unchanged(dispute: Dispute): Changing {
  return { dispute, events: [], postings: [], audited: [], notice: null }
}

/** The event and the audit entry of its creation, once it is in the state in which it begins. */
export function announced(changing: Changing): Changing {
  const { dispute } = changing
  const events = disputeMachine.creation.emits.map((type) => ({ type, dispute }))
  const after = { ...visible(dispute), transaction_id: dispute.transaction_id, reference: dispute.acquirer_reference }
  return { ...changing, events, audited: [{ action: "dispute.opened", after }] }
}

const ACTIONS = {
  escalate: "dispute.escalated",
  submit: "dispute.submitted",
  win: "dispute.won",
  lose: "dispute.lost",
  accept: "dispute.accepted",
  end: "dispute.ended",
  reinstate: "dispute.reinstated",
} as const satisfies Record<DisputeTrigger, string>

/** Moves a dispute by one trigger, which may come with new facts. Errors: INVALID_STATE_TRANSITION. */
export function stepped(
  changing: Changing,
  on: DisputeTrigger,
  now: Date,
  facts: Partial<Pick<Dispute, "amount_minor" | "due_by">> = {}
): Changing {
  const { dispute: before } = changing
  const { to: state, emits } = disputeMachine.require(before.state, on)
  const dispute: Dispute = {
    ...before,
    state,
    submitted_at: on === "submit" ? now : before.submitted_at,
    accepted_at: on === "accept" ? (before.accepted_at ?? now) : before.accepted_at,
    closed_at: isClosed(state) ? now : null,
    reinstated_at: on === "reinstate" ? now : before.reinstated_at,
    // A dispute has its own deadline, other than the inquiry that it was.
    ...(on === "escalate" && { submitted_at: null, missed_at: null }),
    ...facts,
  }
  const posted = POSTINGS[on]?.(dispute, now)
  return {
    dispute,
    events: [...changing.events, ...emits.map((type) => ({ type, dispute }))],
    postings: posted === undefined ? changing.postings : [...changing.postings, posted],
    audited: [...changing.audited, { action: ACTIONS[on], before: visible(before), after: visible(dispute) }],
    notice: isClosed(state) ? "closed" : changing.notice,
  }
}

const POSTINGS: Partial<Record<DisputeTrigger, (dispute: Dispute, now: Date) => Posting>> = {
  escalate: disputeOpened,
  win: disputeWon,
  lose: disputeLost,
  accept: disputeLost,
  reinstate: disputeReinstated,
}

/** The acquirer charges a fee, once. */
export function charged(changing: Changing, fee_minor: number, now: Date): Changing {
  if (fee_minor === 0 || changing.dispute.fee_minor > 0) {
    return changing
  }
  const dispute = { ...changing.dispute, fee_minor }
  return { ...changing, dispute, postings: [...changing.postings, disputeFee(dispute, now)] }
}

/** The acquirer gives its fee back, once. */
export function feeReturned(changing: Changing, now: Date): Changing {
  if (changing.dispute.fee_minor === 0 || changing.dispute.fee_returned) {
    return changing
  }
  const dispute = { ...changing.dispute, fee_returned: true }
  return { ...changing, dispute, postings: [...changing.postings, disputeFeeReturned(dispute, now)] }
}

/**
 * The merchant's acceptance goes to an acquirer, or is refused there (`at` null). It is recorded before it is sent: the
 * acquirer's notification of the loss may come before its answer.
 */
export function acceptance(changing: Changing, at: Date | null): Changing {
  const dispute = { ...changing.dispute, accepted_at: at }
  const action = at === null ? "dispute.acceptance_refused" : "dispute.acceptance_sent"
  const [before, after] = [visible(changing.dispute), visible(dispute)]
  return { ...changing, dispute, audited: [...changing.audited, { action, before, after }] }
}

/** What may change without a step: the reason and the deadline. Without a difference nothing is announced. */
export function corrected(
  changing: Changing,
  facts: Partial<Pick<Dispute, "reason" | "due_by" | "missed_at">>,
  action: "dispute.updated" | "dispute.missed" = "dispute.updated"
): Changing {
  const dispute = { ...changing.dispute, ...facts }
  const [was, is] = [visible(changing.dispute), visible(dispute)]
  if (JSON.stringify(was) === JSON.stringify(is)) {
    return changing
  }
  return {
    ...changing,
    dispute,
    events: [...changing.events, { type: "dispute.updated", dispute }],
    audited: [...changing.audited, { action, before: was, after: is }],
  }
}

/** What the audit log shows of a dispute. */
function visible(dispute: Dispute) {
  const { state, reason, amount_minor, fee_minor, fee_returned, currency } = dispute
  const { due_by, submitted_at, accepted_at, missed_at } = dispute
  return {
    state,
    reason,
    amount: formatAmount(amount_minor),
    fee: formatAmount(fee_minor),
    fee_returned,
    currency,
    due_by: due_by?.toISOString() ?? null,
    submitted_at: submitted_at?.toISOString() ?? null,
    accepted_at: accepted_at?.toISOString() ?? null,
    missed_at: missed_at?.toISOString() ?? null,
  }
}
