import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type { PaymentTimeline, TimelineAttempt } from "../../../../../modules/gateway/payments/timeline"
import { type Names, presentLookUp, presentMessage } from "../../../../admin-kit/present"
import { presentUnresolvedCapture } from "./captures"

/** What became of a flagged payment: it waits, or what an admin has decided or seen. */
type ReviewState = "held" | "accepted" | "given_back" | "flagged" | "seen"

/** States of an attempt whose outcome is open. */
const OPEN: readonly string[] = ["STARTED", "REDIRECTED", "CONFIRMING"]

/** The open attempt before money that is given back, as the decision takes them. */
function unresolvedOf({ record, attempts }: PaymentTimeline): TimelineAttempt | undefined {
  const found = attempts.filter(({ operator_since }) => operator_since !== null)
  const open = record.state === "PROCESSING" ? found.find(({ state }) => OPEN.includes(state)) : undefined
  return open ?? found.find(({ state }) => state === "SURPLUS")
}

/**
 * What is flagged about a payment (a risk, or instalments that differ from the plan), and what an admin made of it;
 * null: nothing is flagged.
 */
export function presentReview({ attempts }: PaymentTimeline, names: Names) {
  const flagged = [...attempts].reverse().find(isFlagged)
  if (flagged === undefined) {
    return null
  }
  const { risk, instalment_differences, held_at, reviewed_at, reviewed_by, review_note } = flagged
  const differences = (instalment_differences ?? []).map((message) => presentMessage(message))
  const reviewed_by_name = reviewed_by === null ? null : (names.get(reviewed_by) ?? null)
  const review = { reviewed_at, reviewed_by, reviewed_by_name, note: review_note }
  return { state: reviewState(flagged), risk, differences, held_at, ...review }
}

function isFlagged({ risk, instalment_differences }: TimelineAttempt): boolean {
  return risk !== null || instalment_differences !== null
}

export function reviewState({ state, held_at, reviewed_at }: TimelineAttempt): ReviewState {
  if (reviewed_at === null) {
    return state === "HELD" ? "held" : "flagged"
  }
  return held_at === null ? "seen" : state === "SUCCEEDED" ? "accepted" : "given_back"
}

/** What to look for in the acquirer's dashboard; null: the acquirer itself reports what became of the payment. */
export function presentUnresolved(timeline: PaymentTimeline) {
  const unresolved = unresolvedOf(timeline)
  if (unresolved === undefined || unresolved.operator_since === null) {
    return presentUnresolvedCapture(timeline)
  }
  const { id: key, acquirer, acquirer_reference, state, operator_since: since, surplus_minor } = unresolved
  const isReturn = state === "SURPLUS"
  const found = isReturn
    ? { kind: "return" as const, ...presentLookUp(acquirer, unresolved.return_ids, acquirer_reference) }
    : { kind: "payment" as const, ...presentLookUp(acquirer, unresolved.acquirer_ids) }
  return { key, acquirer, since, amount: formatAmount(surplus_minor ?? timeline.record.amount_minor), ...found }
}
