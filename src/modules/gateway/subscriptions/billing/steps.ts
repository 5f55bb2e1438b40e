import type { DueStep } from "../due-step"
import type { SkippedPeriod } from "../events"
import { boundsOf, type BillingRecord, type SubscriptionRow } from "../records"
import { beginScheduled } from "../change-rules"
import { complete } from "../end-rules"
import { endTrial, expire, notifyTrialEnding, rollOver, skipOpen, type Change } from "../rules"
import { openAmount, openPeriod } from "../lifecycle"
import type { SkipReason } from "../store/stock"
import type { DueSubscription } from "./charge"

/** A claimed subscription and what has to be done with it; `reason` is why a period is skipped. */
export type Due = { row: DueSubscription; step: DueStep | "skip"; at: Date; reason?: SkipReason }

/** The row without its claim. */
export function freed(row: SubscriptionRow): SubscriptionRow {
  return { ...row, lock_token: null, locked_until: null }
}

/**
 * The number of items, from the first on, that one round of a sandbox's clock does: those of one kind. Retries that are
 * due at different times count as different kinds, because a last retry makes its subscription's end due at once,
 * before the next retry. So do changes of terms, because the charge is due at once.
 */
export function lengthOfRound(due: readonly Due[]): number {
  const kindOf = ({ row, step, at }: Due) => {
    const isFollowed = step === "change" || (step === "charge" && row.status === "PAST_DUE")
    return isFollowed ? `${step} ${at.getTime()}` : step === "charge" ? "charge" : "step"
  }
  const other = due.findIndex((one) => kindOf(one) !== kindOf(due[0]))
  return other === -1 ? due.length : other
}

type Applied = { change: Change<SubscriptionRow>; skipped?: SkippedPeriod }

/** What one step does to a subscription; `next` is the record of the period after the current one. */
export function changeOf({ row, step, at, reason }: Due, next: BillingRecord | undefined): Applied {
  switch (step) {
    case "change":
      return { change: { next: beginScheduled<SubscriptionRow>(row), emits: ["subscription.changed"] } }
    case "notify_trial_ending":
      return { change: notifyTrialEnding<SubscriptionRow>(row) }
    case "complete":
      return { change: complete<SubscriptionRow>(row, at) }
    case "expire":
      return { change: expire<SubscriptionRow>(row, at) }
    case "skip": {
      const { bounds, ...change } = skipOpen<SubscriptionRow>(row, at)
      const amount_minor = openAmount(row)
      return { change, skipped: { period: openPeriod(row), reason: reason ?? "out_of_stock", amount_minor, ...bounds } }
    }
    case "end_trial":
    case "roll_over": {
      if (next === undefined) {
        throw new Error(`subscription ${row.id} has no record of the period that is paid`)
      }
      const bounds = boundsOf(next)
      const rolled = { next: rollOver<SubscriptionRow>(row, bounds), emits: [] }
      return { change: step === "end_trial" ? endTrial<SubscriptionRow>(row, bounds) : rolled }
    }
    case "cover":
    case "charge":
      throw new Error("a period that is paid is settled, not applied")
  }
}
