import { addSeconds } from "../kernel/clock"
import { LIMITS } from "../kernel/limits"

const DAY_SECONDS = 86_400

/** A plan's trial: free when it has days and no amount, paid when it has both (contract 2.9). Amount in poisha. */
type TrialTerms = { trial_period_days: number | null; trial_amount_minor: number | null }

type TrialKind = "none" | "free" | "paid"

export function trialKind({ trial_period_days, trial_amount_minor }: TrialTerms): TrialKind {
  if (trial_period_days === null || trial_period_days === 0) {
    return "none"
  }
  return trial_amount_minor === null ? "free" : "paid"
}

/** The end of a trial of `days` days of 24 hours each. */
export function trialEnd(start: Date, days: number): Date {
  return addSeconds(start, days * DAY_SECONDS)
}

/** When subscription.trial_ending is due: three days before the end, or at the beginning of a shorter trial. */
export function trialNoticeAt(end: Date): Date {
  return addSeconds(end, -LIMITS.trialNoticeDays * DAY_SECONDS)
}
