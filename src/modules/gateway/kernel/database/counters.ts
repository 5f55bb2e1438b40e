import type { Sql } from "./database"
import {
  firstHourApart,
  HOUR_MS,
  HOURS_OF_DAY,
  LIST_BUCKET_SIZE,
  QUARTER_MS,
  type BY_DAY_LATER,
  type Counter,
} from "./counter-rules"
import type { Conditions } from "./conditions"
import type { Tenant } from "../types"

/** A list whose rows are numbered and counted by their state. */
type NumberedList = Extract<Counter, "plan" | "subscription" | "invoice" | "customer" | "delivery">

/** The largest integer of PostgreSQL, above every number. */
const NUMBER_MAX = 2_147_483_647

/** A list whose rows are counted by the time of their creation, for ever, and how long a bucket is. */
const TIMED_LISTS = { refund: QUARTER_MS, link: HOUR_MS } as const satisfies Partial<Record<Counter, number>>
type TimedList = keyof typeof TIMED_LISTS

type LaterByDay = (typeof BY_DAY_LATER)[number]

type PlaceRow = { total: number; bucket: number | null; skip: number | null }

/** Where a page of a list begins: skip `skip` rows below `before`. */
export type Place<Before = number> = { total: number; before: Before; skip: number }

/*
 * The buckets of a list from newest to oldest, each with the number of rows up to its end. The page begins in the first
 * bucket whose end lies beyond the offset, so skipping rows never walks further than one bucket.
 */
const place = (counted: string, bucket = "bucket") => `
  WITH buckets AS MATERIALIZED (
    SELECT ${bucket} AS bucket, sum(count) AS rows FROM gateway_counter
    WHERE merchant_id = $1 AND environment = $2 AND subject = $3 AND ${counted}
    GROUP BY 1),
  placed AS (SELECT bucket, rows, sum(rows) OVER (ORDER BY bucket DESC) AS upto FROM buckets)
  SELECT (SELECT COALESCE(sum(rows), 0)::int FROM buckets) AS total, p.bucket, ($5 - p.upto + p.rows)::int AS skip
  FROM (SELECT 1) AS always LEFT JOIN LATERAL (
    SELECT * FROM placed WHERE upto > $5 ORDER BY bucket DESC LIMIT 1) AS p ON true`

const LABELLED = "($4::text[] IS NULL OR label = ANY($4))"
const PLACE = place(LABELLED)
// Hours that are no longer counted apart are read as their day, whether they have been merged yet or not: buckets of one
// list must not overlap.
const PLACE_OF_EVENT = place(LABELLED, dayBefore("$6::int"))
const PLACE_OF_ENTRY = place("$4 = ANY(string_to_array(label, ',')) AND currency = $7", dayBefore("$6::int"))

/** SQL: the bucket of an hour, which is that of its day for hours before `first`. */
export function dayBefore(first: string): string {
  return `CASE WHEN bucket < ${first} THEN bucket - bucket % ${HOURS_OF_DAY} ELSE bucket END`
}

/** The exact length of a list and the place where its page begins. `labels` are the listed states; null: all. */
export async function placeOf(
  sql: Sql,
  tenant: Tenant,
  subject: NumberedList,
  offset: number,
  labels?: readonly string[]
): Promise<Place> {
  const { total, bucket, skip } = await placeByBucket(sql, tenant, subject, offset, labels)
  return { total, skip, before: bucket === null ? 0 : (bucket + 1) * LIST_BUCKET_SIZE }
}

/** Like `placeOf`, for a list in order of time. */
export async function placeInTime(
  sql: Sql,
  tenant: Tenant,
  subject: TimedList,
  offset: number,
  labels?: readonly string[]
): Promise<Place<Date>> {
  const { total, bucket, skip } = await placeByBucket(sql, tenant, subject, offset, labels)
  return { total, skip, before: new Date(bucket === null ? 0 : (bucket + 1) * TIMED_LISTS[subject]) }
}

/** Like `placeInTime`, for the list of events; `labels` are their types. */
export async function placeOfEvents(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  offset: number,
  labels?: readonly string[]
): Promise<Place<Date>> {
  const subject: LaterByDay = "event"
  return placeByDayLater(sql, PLACE_OF_EVENT, [merchant_id, environment, subject, labels ?? null, offset])
}

/** Like `placeInTime`, for the entries of an account of the ledger in one currency. */
export async function placeOfEntries(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  { account, currency }: { account: string; currency: string },
  offset: number
): Promise<Place<Date>> {
  const subject: LaterByDay = "entry"
  return placeByDayLater(sql, PLACE_OF_ENTRY, [merchant_id, environment, subject, account, offset], currency)
}

async function placeByDayLater(
  sql: Sql,
  statement: string,
  values: readonly unknown[],
  ...more: unknown[]
): Promise<Place<Date>> {
  const first = firstHourApart(new Date())
  const [{ total, bucket, skip }] = await sql.query<PlaceRow>(statement, [...values, first, ...more])
  const hours = bucket !== null && bucket < first ? HOURS_OF_DAY : 1
  return { total, skip: skip ?? 0, before: new Date(bucket === null ? 0 : (bucket + hours) * HOUR_MS) }
}

/** The same for a search, which no counter covers: it counts row by row. `table` includes its alias. */
export async function countedPlace(
  sql: Sql,
  table: `${string} ${string}`,
  { where, values }: Conditions,
  offset: number
): Promise<Place> {
  const [{ total }] = await sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM ${table} WHERE ${where}`,
    values
  )
  return { total, before: NUMBER_MAX, skip: offset }
}

async function placeByBucket(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  subject: Counter,
  offset: number,
  labels?: readonly string[]
) {
  const [row] = await sql.query<PlaceRow>(PLACE, [merchant_id, environment, subject, labels ?? null, offset])
  return { ...row, skip: row.skip ?? 0 }
}
