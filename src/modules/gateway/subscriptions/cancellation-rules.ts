import type { Language } from "../../../i18n/languages"
import { messageOf } from "../../../i18n/message"
import { textGroup } from "../../../i18n/translate"
import { GatewayError } from "../kernel/errors"
import type { Bounds, Lifecycle } from "./lifecycle"
import type { Change } from "./rules"
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

type Cancelled = Pick<Lifecycle, "status" | "cancel_at_period_end" | "current_period_end">

/** Whether the subscription is cancelled, and its cancellation can be undone: it takes effect later than `at`. */
export function mayUncancel({ status, cancel_at_period_end, current_period_end: end }: Cancelled, at: Date): boolean {
  return status === "CANCELLED" && cancel_at_period_end && end !== null && end > at
}

/**
 * Undoes a cancellation at the period's end: status and dates are again what `cancel` has replaced. `ahead` are the
 * bounds of the period after the current one when that is paid already. Nothing is due for the time between: what fell
 * due meanwhile, such as the end of a trial, follows with the next billing run. An overdue payment is due at once. A
 * pause that ended with the cancellation stays ended. Errors: INVALID_STATE_TRANSITION when nothing can be undone any more.
 */
export function uncancel<As extends Lifecycle>(lifecycle: As, at: Date, ahead: Bounds | null): Change<As> {
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
  const {
    current_period,
    paid_period,
    current_period_start: start,
    current_period_end: end,
    trial_end_date,
  } = lifecycle
  if (current_period > paid_period) {
    const { to, emits } = subscriptionMachine.require(lifecycle.status, "uncancel_past_due")
    return { next: { ...kept, status: to, past_due_since: start, retry_at: at, next_billing_date: start }, emits }
  }
  const isTrial = current_period === 0
  const { to, emits } = subscriptionMachine.require(lifecycle.status, isTrial ? "uncancel_trial" : "uncancel")
  const current_period_end = isTrial ? trial_end_date : (ahead?.start ?? end)
  return { next: { ...kept, status: to, current_period_end, next_billing_date: end }, emits }
}
