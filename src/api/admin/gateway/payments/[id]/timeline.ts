import { presentMessage, presentMessageOrNull } from "../../../../admin-kit/present"
import type { AmountMismatch } from "../../../../../modules/gateway/acquirers/amount-mismatch"
import { EVENT_TYPES } from "../../../../../modules/gateway/kernel/database/events"
import type { ListedDispute } from "../../../../../modules/gateway/disputes/list"
import { ofReserved } from "./captures"
import { reviewState } from "./review"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type {
  PaymentTimeline,
  TimelineAttempt,
  TimelineDelivery,
  TimelineEvent,
  TimelineRefund,
} from "../../../../../modules/gateway/payments/timeline"

/** What happened, at a moment of the merchant's clock; `type` determines the other members. */
type TimelineEntry = { at: Date; type: string } & Record<string, unknown>

const FINAL = ["SUCCESS", "FAILED", "CANCELLED", "EXPIRED", "REFUNDED"]

/** Everything that happened to a payment, in order; an event contains its deliveries. */
export function timelineOf(timeline: PaymentTimeline, disputes: readonly ListedDispute[]): TimelineEntry[] {
  const entries = [
    ...ofPayment(timeline),
    ...ofAttempts(timeline),
    ...ofReserved(timeline),
    ...ofMismatches(timeline),
    ...ofCart(timeline),
    ...ofRefunds(timeline),
    ...disputes.flatMap(ofDispute),
    ...ofEvents(timeline),
  ]
  // The sort is stable: at the same moment, the cause comes before its event.
  return entries.sort((left, right) => left.at.getTime() - right.at.getTime())
}

function ofPayment({ record, reserved }: PaymentTimeline): TimelineEntry[] {
  const entries: TimelineEntry[] = [{ at: record.opened_at, type: "session_opened", expires_at: record.expires_at }]
  // What became of reserved money has entries of its own.
  const isReserved = reserved !== null && reserved.authorization.ended_because !== "late"
  if (record.finished_at !== null && FINAL.includes(record.state) && !isReserved) {
    // A fully refunded payment succeeded first, at `verified_at`.
    const at = record.verified_at ?? record.finished_at
    const status = record.verified_at === null ? record.state : "SUCCESS"
    const { acquirer_reference, error_code, error_message } = record
    entries.push({ at, type: "settled", status, acquirer_reference, error_code, error_message })
  }
  return entries
}

/** Each try to pay, how it ended when the payment did not end with it, and what came although it was over. */
function ofAttempts(timeline: PaymentTimeline): TimelineEntry[] {
  return timeline.attempts.flatMap((attempt) => {
    const { number, state, acquirer, acquirer_reference, error_code, error_message, finished_at } = attempt
    const { payment_method, payment_service, instrument, surplus_minor, held_at, returned_at } = attempt
    const about = { number, acquirer, payment_service, passed_on: attempt.passed_on }
    const entries: TimelineEntry[] = [
      { at: attemptedAt(attempt, timeline), type: "attempt", ...about, state, payment_method, instrument },
    ]
    if (finished_at !== null && (state === "DECLINED" || state === "ABANDONED") && !isEnd(attempt, timeline)) {
      const { reason = null, tries_left = null } = attempt.decline ?? {}
      const why = { error_code, error_message, reason, tries_left }
      entries.push({ at: finished_at, type: "attempt_ended", ...about, state, ...why })
    }
    entries.push(...ofReview(attempt))
    if (finished_at !== null && surplus_minor !== null) {
      const surplus = { ...about, amount: formatAmount(surplus_minor), acquirer_reference }
      // What was held had come in time.
      entries.push(...(held_at === null ? [{ at: finished_at, type: "surplus_received", ...surplus }] : []))
      entries.push(...(returned_at === null ? [] : [{ at: returned_at, type: "surplus_returned", ...surplus }]))
    }
    return entries
  })
}

/** What the acquirer flags about an attempt that was paid, or does not know about one, and what an admin decided. */
function ofReview(attempt: TimelineAttempt): TimelineEntry[] {
  const { number, acquirer, risk, held_at, finished_at, reviewed_at, operator_since, review_note: note } = attempt
  const at = held_at ?? finished_at
  const about = { number, acquirer }
  if (operator_since !== null) {
    const returning = attempt.surplus_minor !== null
    const unresolved = { at: operator_since, type: "unresolved", ...about, returning }
    return reviewed_at === null ? [unresolved] : [unresolved, { at: reviewed_at, type: "found", ...about, note }]
  }
  if (at === null) {
    return []
  }
  const flagged = [
    ...(risk === null ? [] : [{ at, type: "flagged", ...about, risk, held: held_at !== null }]),
    ...(attempt.instalment_differences ?? []).map((message) => ({
      ...presentMessage(message),
      at,
      type: "instalments",
      ...about,
    })),
  ]
  const decided = { type: "reviewed", ...about, decision: reviewState(attempt), note }
  return reviewed_at === null || flagged.length === 0 ? flagged : [...flagged, { at: reviewed_at, ...decided }]
}

/** Whether the payment failed with this attempt: its own entry says so then. */
function isEnd({ id, state, finished_at }: TimelineAttempt, { record }: PaymentTimeline): boolean {
  const isLast = id === record.attempt_id && finished_at?.getTime() === record.finished_at?.getTime()
  return isLast && state === "DECLINED" && record.state === "FAILED"
}

/** Reports of the acquirer with another amount or currency than requested. */
function ofMismatches({ record, refunds }: PaymentTimeline): TimelineEntry[] {
  const entry = (mismatch: AmountMismatch | null, amount_minor: number, refund_id: string | null): TimelineEntry[] => {
    if (mismatch === null) {
      return []
    }
    const reported_amount = mismatch.amount_minor === null ? null : formatAmount(BigInt(mismatch.amount_minor))
    const { currency: reported_currency, reference } = mismatch
    const requested = { amount: formatAmount(amount_minor), currency: record.currency }
    return [
      {
        at: new Date(mismatch.at),
        type: "amount_mismatch",
        reported_amount,
        reported_currency,
        ...requested,
        reference,
        refund_id,
      },
    ]
  }
  return [
    ...entry(record.amount_mismatch, record.amount_minor, null),
    ...refunds.flatMap(({ amount_mismatch, amount_minor, id }) => entry(amount_mismatch, amount_minor, id)),
  ]
}

/**
 * Attempts are begun in real time, and the merchant's clock may run ahead: not before the checkout, nor before the
 * attempts that ended first, nor after the attempt's own end.
 */
function attemptedAt(
  { number, started_at, finished_at }: TimelineAttempt,
  { record: { opened_at }, attempts }: PaymentTimeline
): Date {
  const end = finished_at?.getTime() ?? Infinity
  const earlier = attempts
    .filter((one) => one.number < number)
    .map((one) => one.finished_at?.getTime() ?? 0)
    .filter((at) => at <= end)
  return new Date(Math.min(Math.max(started_at.getTime(), opened_at.getTime(), ...earlier), end))
}

function ofCart({ completion }: PaymentTimeline): TimelineEntry[] {
  return (completion?.history ?? [])
    .filter(({ kind }) => kind !== "cart.paid" && kind !== "balance.paid")
    .map(({ at, ...message }) => ({
      ...presentMessage(message),
      at: new Date(at),
      type: "cart",
      order_id: completion?.order_id ?? null,
    }))
}

function ofRefunds({ refunds, events }: PaymentTimeline): TimelineEntry[] {
  return refunds.flatMap((refund) => {
    const eventOf = (type: string) =>
      events.find((event) => event.resource_id === refund.id && event.event_type === type)
    const about = { refund_id: refund.id, amount: formatAmount(refund.amount_minor) }
    const { reason, requested_by, error_message } = refund
    const requested = eventOf("refund.initiated")?.occurred_at ?? refund.created_at
    const ended = endOf(refund, eventOf(`refund.${refund.state}`))
    return [
      { at: requested, type: "refund_requested", ...about, reason, requested_by },
      ...(ended === null ? [] : [{ at: ended, type: "refund_ended", ...about, status: refund.state, error_message }]),
    ]
  })
}

function ofDispute({ id, amount_minor, reason, state, ...dispute }: ListedDispute): TimelineEntry[] {
  const { opened_at, submitted_at, closed_at, reinstated_at } = dispute
  const about = { dispute_id: id, amount: formatAmount(amount_minor) }
  const status = reinstated_at === null ? state : "reinstated"
  return [
    { at: opened_at, type: "dispute_opened", ...about, reason },
    ...(submitted_at === null ? [] : [{ at: submitted_at, type: "dispute_submitted", ...about }]),
    ...(closed_at === null ? [] : [{ at: closed_at, type: "dispute_ended", ...about, status }]),
  ]
}

function endOf(refund: TimelineRefund, event: TimelineEvent | undefined): Date | null {
  const isOver = ["completed", "failed", "cancelled"].includes(refund.state)
  return isOver ? (refund.completed_at ?? event?.occurred_at ?? null) : null
}

/** Events of the same moment keep the order of their table, which is the order of a payment's life. */
function ofEvents({ events, deliveries }: PaymentTimeline): TimelineEntry[] {
  const order: readonly string[] = EVENT_TYPES
  const sorted = [...events].sort((left, right) => order.indexOf(left.event_type) - order.indexOf(right.event_type))
  return sorted.map((event) => ({
    at: event.occurred_at,
    type: "event",
    event_id: event.event_id,
    event_type: event.event_type,
    deliveries: deliveries.filter(({ event_id }) => event_id === event.event_id).map(presentDelivery),
  }))
}

function presentDelivery({ state, event_id: _event, next_attempt_at, last_error, ...delivery }: TimelineDelivery) {
  return {
    ...delivery,
    last_error: presentMessageOrNull(last_error),
    status: state,
    next_attempt_at: state === "pending" ? next_attempt_at : null,
  }
}
