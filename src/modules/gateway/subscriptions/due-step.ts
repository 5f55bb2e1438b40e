import { addSeconds } from "../kernel/money/clock"
import { LIMITS } from "../kernel/limits"
import { isComplete } from "./end-rules"
import { type Lifecycle, openAmount, trialNoticeAt } from "./lifecycle"

/**
 * The possible steps of a due subscription; a charge whose goods are unavailable turns into a skip. `change`: scheduled
 * terms begin, and the next step follows at once. `cover`: credits pay the whole period. `complete`: no period follows.
 */
export type DueStep =
  "charge" | "change" | "complete" | "cover" | "notify_trial_ending" | "end_trial" | "roll_over" | "expire"

/** When the next step is due, or null. A subscription with a payment under way waits for its outcome. */
export function dueAt(lifecycle: Lifecycle, awaitingPayment: boolean): Date | null {
  if (awaitingPayment) {
    return null
  }
  switch (lifecycle.status) {
    case "PENDING":
      return earliest(addSeconds(lifecycle.opened_at, LIMITS.pendingSubscriptionDays * 86_400), lifecycle.ends_at)
    case "TRIALING":
      return lifecycle.trial_end_date === null || lifecycle.trial_ending_notified
        ? lifecycle.trial_end_date
        : trialNoticeAt(lifecycle.trial_end_date, lifecycle.time_zone)
    case "ACTIVE":
      return lifecycle.current_period_end
    case "PAST_DUE":
      return lifecycle.retry_at
    case "CANCELLED":
      return lifecycle.current_period_end ?? lifecycle.cancelled_at
    case "PAUSED":
    case "EXPIRED":
      return null
  }
}

/** The step that is due; null when there is none. */
export function dueStep(lifecycle: Lifecycle): DueStep | null {
  switch (lifecycle.status) {
    case "PENDING":
    case "CANCELLED":
      return "expire"
    case "TRIALING":
      return !lifecycle.trial_ending_notified
        ? "notify_trial_ending"
        : lifecycle.paid_period > 0
          ? "end_trial"
          : paying(lifecycle)
    case "ACTIVE":
      return lifecycle.paid_period > lifecycle.current_period ? "roll_over" : paying(lifecycle)
    case "PAST_DUE":
      return "charge"
    case "PAUSED":
    case "EXPIRED":
      return null
  }
}

function earliest(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one
}

/** The open period begins, if one follows: on the terms that were scheduled, and with a charge unless credits pay it. */
function paying(lifecycle: Lifecycle): DueStep {
  if (isComplete(lifecycle)) {
    return "complete"
  }
  if (lifecycle.scheduled_change !== null) {
    return "change"
  }
  return openAmount(lifecycle) === 0 ? "cover" : "charge"
}
