import { addSeconds } from "../kernel/clock"
import { LIMITS } from "../kernel/limits"
import type { Standing } from "./state"
import { trialNoticeAt } from "./trial"

/** What there is to do about a subscription that is due; a charge whose goods cannot be had turns into a skip. */
export type DueStep = "charge" | "tell_trial_ending" | "end_trial" | "roll_over" | "expire"

/** When something is to be done next, or null. A subscription with a payment in hand waits for its outcome. */
export function dueAt(standing: Standing, awaitingPayment: boolean): Date | null {
  if (awaitingPayment) {
    return null
  }
  switch (standing.status) {
    case "PENDING":
      return addSeconds(standing.opened_at, LIMITS.pendingSubscriptionDays * 86_400)
    case "TRIALING":
      return standing.trial_end_date === null || standing.trial_ending_told
        ? standing.trial_end_date
        : trialNoticeAt(standing.trial_end_date)
    case "ACTIVE":
      return standing.current_period_end
    case "PAST_DUE":
      return standing.retry_at
    case "CANCELLED":
      return standing.current_period_end ?? standing.cancelled_at
    case "PAUSED":
    case "EXPIRED":
      return null
  }
}

/** The step that a due date stands for, or null where there is none. */
export function dueStep(standing: Standing): DueStep | null {
  switch (standing.status) {
    case "PENDING":
    case "CANCELLED":
      return "expire"
    case "TRIALING":
      return !standing.trial_ending_told ? "tell_trial_ending" : standing.paid_period > 0 ? "end_trial" : "charge"
    case "ACTIVE":
      return standing.paid_period > standing.current_period ? "roll_over" : "charge"
    case "PAST_DUE":
      return "charge"
    case "PAUSED":
    case "EXPIRED":
      return null
  }
}
