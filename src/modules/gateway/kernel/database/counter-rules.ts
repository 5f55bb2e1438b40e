import { DAY_MS, dayStart } from "../../../../i18n/days"
import type { IntervalUnit } from "../money/calendar"
import { divideHalfUp } from "../money/money"

/**
 * What is counted, with the meaning of a counter's `label` and `bucket`; `currency` is that of the amounts, and empty
 * for what has none: sums of two currencies never meet in one row. Lists: the state of the rows, and which part of the
 * list they are in. Figures of days: the quarter of an hour since 1970. In every time zone a day is whole quarters.
 * - `plan` (active, archived), `subscription`, `invoice` (status), `customer` (""): `listBucket` of their number
 * - `delivery` (""), to webhook endpoints and to ipn_urls: `listBucket` of its number
 * - `event` (its type): the hour of `created_at` since 1970; of older ones their day, named by its first hour
 * - `entry` (the accounts of a posting in the order of their names, `fees,merchant_balance`): the hour of `occurred_at`
 *   since 1970, or its day, as of events; one for each posting, because it has one entry in each of its accounts
 * - `balance` (kind of posting): the quarter of `occurred_at`, with what its postings add to the merchant's balance;
 *   without those of payments, whose amounts and fees `payment` has
 * - `refund` (state): the quarter of `requested_at`, with the amount
 * - `link` (""), to payments: the hour of `created_at` since 1970
 * - `payment` (`<outcome>:<payment service>`): the quarter in which it ended, with amount and fee; a refunded one is a SUCCESS
 * - `recurring` (`<count>:<unit>` of the interval): 0, with the amount: what ACTIVE and PAST_DUE subscriptions bill
 * - `attempt` (`<outcome>:<bucket of ANSWER_MS, or -1>:<payment service>:<acquirer>`): the quarter in which it ended;
 *   `paid`, with the amount of what succeeded, `declined` by the acquirer, `passed_on` to the next one, or `left` by the
 *   shopper
 * - `started`, `ended` (""): the quarter in which a subscription was first billed for a full period, and in which it was
 *   cancelled
 */
export const COUNTERS = [
  "plan",
  "subscription",
  "invoice",
  "customer",
  "delivery",
  "event",
  "entry",
  "balance",
  "refund",
  "payment",
  "recurring",
  "started",
  "ended",
  "attempt",
  "link",
] as const
export type Counter = (typeof COUNTERS)[number]

/** Numbers per bucket of a list: few enough to walk over, enough that a million rows need few buckets. */
export const LIST_BUCKET_SIZE = 4_096
export const HOUR_MS = 3_600_000
export const QUARTER_MS = HOUR_MS / 4
export const HOURS_OF_DAY = 24

/**
 * What is counted by the hour at first and by the day (UTC) later (docs/decisions/23): these lists grow for years,
 * and a page of theirs adds up all counters of the list.
 */
export const BY_DAY_LATER = ["event", "entry"] as const satisfies readonly Counter[]

/** Days with a counter for each hour; that of today is one more. */
export const HOURLY_DAYS = 7

/** The first hour since 1970 that is counted as an hour: those before it are read as part of their day. */
export function firstHourApart(now: Date): number {
  return (Math.floor(now.getTime() / DAY_MS) - HOURLY_DAYS) * HOURS_OF_DAY
}

/** Days of a time zone (IANA) by their numbers (i18n/days.ts), both inclusive. */
export type Period = { first: number; last: number; zone: string }

/** The number of a day given as its midnight in UTC. */
export function dayOfDate(date: Date): number {
  return date.getTime() / DAY_MS
}

/**
 * The quarter of an hour since 1970 in which each day of a period begins, and that in which the day after it begins.
 * PostgreSQL's `width_bucket` finds the place of a quarter's day in them, from 1 on.
 */
export function quartersOf({ first, last, zone }: Period): number[] {
  return Array.from({ length: last - first + 2 }, (_, nth) => quarterOf(first + nth, zone))
}

/** The first quarter of an hour since 1970 of a period, and the first after it. */
export function boundsOf({ first, last, zone }: Period): [from: number, before: number] {
  return [quarterOf(first, zone), quarterOf(last + 1, zone)]
}

function quarterOf(day: number, zone: string): number {
  return Math.floor(dayStart(day, zone).getTime() / QUARTER_MS)
}

type RecurringGroup = { interval_count: number; interval_unit: IntervalUnit; amount: bigint }

/** How many of a unit make up a month, as an exact fraction: a year has 365 days and 12 months, a week 7 days. */
const IN_A_MONTH: Readonly<Record<IntervalUnit, readonly [times: bigint, of: bigint]>> = {
  DAY: [365n, 12n],
  WEEK: [365n, 84n],
  MONTH: [1n, 1n],
  YEAR: [1n, 12n],
}

/**
 * What the groups, all in one currency, bill per month, in its hundredths: added up exactly, then rounded once, half
 * up.
 */
export function monthlyRevenue(groups: readonly RecurringGroup[]): bigint {
  const sum = groups.reduce(
    (total, { interval_count, interval_unit, amount }) => {
      const [times, of] = IN_A_MONTH[interval_unit]
      const below = of * BigInt(interval_count)
      return { above: total.above * below + amount * times * total.below, below: total.below * below }
    },
    { above: 0n, below: 1n }
  )
  return divideHalfUp(sum.above, sum.below)
}

/** Bounds of the buckets in which acquirers' answers are counted, in milliseconds: bucket 0 is below the first. */
export const ANSWER_MS = [
  50, 100, 150, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 5_000, 7_500, 10_000, 15_000, 20_000,
  30_000, 60_000,
] as const

/**
 * The number of milliseconds within which this share (0 to 1) of the answers came: the upper bound of the bucket in
 * which it is reached; the last bound for what took longer than that. Null without answers.
 */
export function answeredWithin(counts: ReadonlyMap<number, number>, share: number): number | null {
  const buckets = [...counts].filter(([bucket]) => bucket >= 0).sort(([one], [other]) => one - other)
  const all = buckets.reduce((sum, [, count]) => sum + count, 0)
  let reached = 0
  for (const [bucket, count] of buckets) {
    reached += count
    if (reached >= all * share) {
      return ANSWER_MS[Math.min(bucket, ANSWER_MS.length - 1)]
    }
  }
  return null
}

/** A share in percent with one decimal, rounded half up ("97.1"); null when the whole is zero. */
export function percentText(part: number, whole: number): string | null {
  if (whole <= 0) {
    return null
  }
  const tenths = divideHalfUp(BigInt(part) * 1_000n, BigInt(whole))
  return `${tenths / 10n}.${tenths % 10n}`
}
