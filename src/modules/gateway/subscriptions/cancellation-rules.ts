import type { Language } from "../../../i18n/languages"
import { messageOf } from "../../../i18n/message"
import { textGroup } from "../../../i18n/translate"
import { GatewayError } from "../kernel/errors"
import type { Bounds, Lifecycle } from "./lifecycle"
import { endTrial, rollOver, type Change } from "./rules"
import { subscriptionMachine } from "./states"

/** The reasons that a merchant without a list of its own asks for; the catalogue has their words (docs/decisions/11). */
export const CANCELLATION_REASONS = [
  "too_expensive",
  "not_used",
  "something_missing",
  "found_better",
  "not_satisfied",
  "other",
] as const

/** The reasons that pages offer: the merchant's own sentences, or the codes of the list above. */
export function offeredReasons(own: readonly string[] | null): readonly string[] {
  return own ?? CANCELLATION_REASONS
}

/** A reason as people read it: the words of a code, in the reader's language, or what was said. */
export function reasonText(reason: string, language: Language): string {
  return textGroup("messages", "cancellation", language)[reason] ?? reason
}

type Cancelled = Pick<Lifecycle, "status" | "cancel_at_period_end" | "current_period_start" | "current_period_end">

/**
 * Whether the subscription is cancelled, and its cancellation can be undone: it takes effect later than `at`, and a
 * period or a trial had begun before it. One whose first payment came afterwards has no schedule to go back to.
 */
export function mayUncancel(cancelled: Cancelled, at: Date): boolean {
  const { status, cancel_at_period_end, current_period_start: start, current_period_end: end } = cancelled
  return status === "CANCELLED" && cancel_at_period_end && start !== null && end !== null && end > at
}

/** What undoing needs to know beside the row. */
export type Kept = {
  /** The bounds of the paid periods after the current one, in their order. */
  ahead: readonly Bounds[]
  /** The next retry of a period that has failed; null after the last one. */
  retryAt: (firstFailure: Date, failures: number) => Date | null
}

/**
 * Undoes a cancellation at the period's end: status and dates are again what `cancel` has replaced, and a period that is
 * paid and has begun meanwhile is the current one. An overdue payment keeps its first failure and the rest of its
 * retries. A pause that ended with the cancellation stays ended. Errors: INVALID_STATE_TRANSITION when nothing can be
 * undone any more.
 */
export function uncancel<As extends Lifecycle>(lifecycle: As, at: Date, { ahead, retryAt }: Kept): Change<As> {
  if (!mayUncancel(lifecycle, at)) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.cancellation_final"))
  }
  const kept: As = {
    ...lifecycle,
    cancel_at_period_end: false,
    cancelled_at: null,
    cancellation_reason: null,
    cancellation_note: null,
  }
  const { past_due_since: since, current_period_start: start, current_period_end: end, trial_end_date } = lifecycle
  if (since !== null) {
    const { to, emits } = subscriptionMachine.require(lifecycle.status, "uncancel_past_due")
    const retry_at = retryAt(since, lifecycle.failed_payment_count)
    return { next: { ...kept, status: to, retry_at, next_billing_date: start }, emits }
  }
  const isTrial = lifecycle.current_period === 0
  const { to, emits } = subscriptionMachine.require(lifecycle.status, isTrial ? "uncancel_trial" : "uncancel")
  const current_period_end = isTrial ? trial_end_date : (ahead[0]?.start ?? end)
  const undone: Change<As> = { next: { ...kept, status: to, current_period_end, next_billing_date: end }, emits }
  return ahead.filter((bounds) => bounds.start <= at).reduce(begun, undone)
}

/** The next period, which is paid, has begun. */
function begun<As extends Lifecycle>({ next, emits }: Change<As>, bounds: Bounds): Change<As> {
  if (next.status !== "TRIALING") {
    return { next: rollOver(next, bounds), emits }
  }
  const trial = endTrial({ ...next, trial_ending_notified: true }, bounds)
  return { next: trial.next, emits: [...emits, ...trial.emits] }
}
