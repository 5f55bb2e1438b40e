import { numberOf, type IntervalDraft } from "../plans/interval"
import type { SubscriptionTimeline } from "./types"

export type TermsDraft = IntervalDraft & { amount: string }

export function draftOf(subscription: Pick<SubscriptionTimeline, keyof TermsDraft>): TermsDraft {
  const { amount, interval_count, interval_unit } = subscription
  return { amount, interval_count: String(interval_count), interval_unit }
}

/**
 * The body of a change: what the admin has changed since the form was `opened`, and nothing else. Count and unit go
 * together, because a count that somebody else has changed meanwhile would get a unit that it was never meant for.
 */
export function changeOf(draft: TermsDraft, opened: TermsDraft): object {
  const { amount, interval_count, interval_unit } = draft
  const isOtherInterval = interval_count.trim() !== opened.interval_count || interval_unit !== opened.interval_unit
  return {
    ...(amount.trim() === opened.amount ? {} : { amount }),
    ...(isOtherInterval ? { interval_count: numberOf(interval_count), interval_unit } : {}),
  }
}
