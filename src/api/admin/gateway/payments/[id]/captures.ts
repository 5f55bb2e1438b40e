import { formatAmount, type Minor } from "../../../../../modules/gateway/kernel/money/money"
import type { Capture } from "../../../../../modules/gateway/payments/captures/records"
import { capturableNow } from "../../../../../modules/gateway/payments/captures/rules"
import type { CaptureView } from "../../../../../modules/gateway/payments/captures/service"
import type { CaptureState } from "../../../../../modules/gateway/payments/captures/states"
import type { PaymentTimeline } from "../../../../../modules/gateway/payments/timeline"
import { presentLookUp, type Names } from "../../../../admin-kit/present"

/** Who has captured or let go of a payment's money, for their names. */
export function captorsOf({ reserved }: PaymentTimeline): string[] {
  const { authorization, captures } = reserved ?? {}
  return [authorization?.ended_by ?? [], (captures ?? []).map(({ requested_by }) => requested_by)].flat()
}

/**
 * Reserved money and its captures, the oldest first; null: the money was taken at once. `now`: the merchant's clock.
 * `owed`: what the order that it pays allows to be captured in all; null: it pays none.
 */
export function presentReserved(reserved: CaptureView | null, names: Names, now: Date, owed: Minor | null) {
  if (reserved === null) {
    return null
  }
  const { authorization, captures } = reserved
  const { amount_minor, is_single, mode, state, capture_before, ended_because, ended_by, ended_at } = authorization
  const sum = (wanted: CaptureState) =>
    formatAmount(captures.reduce((total, one) => total + (one.state === wanted ? BigInt(one.amount_minor) : 0n), 0n))
  return {
    amount: formatAmount(amount_minor),
    captured_amount: sum("completed"),
    processing_amount: sum("processing"),
    capturable_amount: formatAmount(now < capture_before ? capturableNow(authorization, owed) : 0n),
    released_amount: formatAmount(state === "open" ? 0 : amount_minor - authorization.captured_minor),
    is_single,
    mode,
    state,
    capture_before,
    ended_because,
    ended_by,
    ended_by_name: ended_by === null ? null : (names.get(ended_by) ?? null),
    ended_at,
    captures: captures.map((capture) => presentCapture(capture, names)),
  }
}

function presentCapture(capture: Capture, names: Names) {
  const { id, state, amount_minor, charge_minor, requested_by, requested_at, completed_at } = capture
  const { acquirer_reference, error_code, error_message } = capture
  return {
    id,
    status: state,
    amount: formatAmount(amount_minor),
    charge_amount: formatAmount(charge_minor),
    requested_by,
    requested_by_name: names.get(requested_by) ?? null,
    requested_at,
    completed_at,
    acquirer_reference,
    error_code,
    error_message,
  }
}

/** What to look for in the acquirer's dashboard about a capture, or about money that was to be let go; null: nothing. */
export function presentUnresolvedCapture({ reserved, late }: PaymentTimeline) {
  const { authorization, captures = [] } = reserved ?? {}
  const capture = captures.find(({ state, operator_since }) => state === "processing" && operator_since !== null)
  if (authorization !== undefined && capture !== undefined && capture.operator_since !== null) {
    const { id: key, amount_minor, operator_since: since, acquirer_ids } = capture
    const { acquirer, acquirer_reference: payment } = authorization
    const look = presentLookUp(acquirer, acquirer_ids, payment)
    return { key, kind: "capture" as const, acquirer, since, amount: formatAmount(amount_minor), ...look }
  }
  const unreleased = [authorization ?? [], late]
    .flat()
    .find(({ state, operator_since }) => state === "releasing" && operator_since !== null)
  if (unreleased === undefined || unreleased.operator_since === null) {
    return null
  }
  const { id: key, acquirer, operator_since: since, acquirer_reference: payment, acquirer_ids } = unreleased
  const amount = formatAmount(unreleased.amount_minor - unreleased.captured_minor)
  return { key, kind: "release" as const, acquirer, since, amount, ...presentLookUp(acquirer, acquirer_ids, payment) }
}

type Entry = { at: Date; type: string } & Record<string, unknown>

/** What became of reserved money, for the payment's timeline. */
export function ofReserved({ reserved, late, events, record }: PaymentTimeline): Entry[] {
  const tooLate = late.map(({ ended_at, capture_before, amount_minor }) => ({
    at: ended_at ?? capture_before,
    type: "authorized_late",
    amount: formatAmount(amount_minor),
  }))
  if (reserved === null || reserved.authorization.ended_because === "late") {
    return tooLate
  }
  const { authorization, captures } = reserved
  const { amount_minor, captured_minor, capture_before, ended_because, ended_by, ended_at } = authorization
  const reservedAt = events.find(({ event_type }) => event_type === "payment.authorized")?.occurred_at
  const left = formatAmount(amount_minor - captured_minor)
  const end =
    ended_at === null || (ended_because !== "voided" && ended_because !== "expired")
      ? []
      : [{ at: ended_at, type: `authorization_${ended_because}`, amount: left, by: ended_by }]
  return [
    { at: reservedAt ?? record.opened_at, type: "authorized", amount: formatAmount(amount_minor), capture_before },
    ...captures.flatMap(ofCapture),
    ...end,
    ...tooLate,
  ]
}

function ofCapture(capture: Capture): Entry[] {
  const { id: capture_id, state, amount_minor, requested_at, completed_at, operator_since, error_message } = capture
  const about = { capture_id, amount: formatAmount(amount_minor) }
  const unresolved = operator_since === null ? [] : [{ at: operator_since, type: "capture_unresolved", ...about }]
  if (state === "failed") {
    return [{ at: requested_at, type: "capture_failed", ...about, error_message }]
  }
  return completed_at === null
    ? [{ at: requested_at, type: "capture_requested", ...about }, ...unresolved]
    : [{ at: completed_at, type: "captured", ...about, acquirer_reference: capture.acquirer_reference }]
}
