import type { Sql } from "./database"
import { HOUR_MS, LIST_BUCKET_SIZE, type Counter } from "./counter-rules"
import type { Conditions } from "./paging"
import type { Tenant } from "./types"

/** A list whose rows are numbered and counted by their state. */
type NumberedList = Extract<Counter, "plan" | "subscription" | "invoice" | "customer" | "delivery">

/** The largest integer of PostgreSQL, above every number. */
export const NUMBER_MAX = 2_147_483_647

/** A list whose rows are counted by the hour of their creation. */
type TimedList = Extract<Counter, "refund" | "event" | "link">

type PlaceRow = { total: number; bucket: number | null; skip: number | null }

/** Where a page of a list begins: skip `skip` rows below `before`. */
export type Place<Before = number> = { total: number; before: Before; skip: number }

/*
 * The buckets of a list from newest to oldest, each with the number of rows up to its end. The page begins in the first
 * bucket whose end lies beyond the offset, so skipping rows never walks further than one bucket.
 */
const place = (counted: string) => `
  WITH buckets AS MATERIALIZED (
    SELECT bucket, sum(count) AS rows FROM gateway_counter
    WHERE merchant_id = $1 AND environment = $2 AND subject = $3 AND ${counted}
    GROUP BY bucket),
  placed AS (SELECT bucket, rows, sum(rows) OVER (ORDER BY bucket DESC) AS upto FROM buckets)
  SELECT (SELECT COALESCE(sum(rows), 0)::int FROM buckets) AS total, p.bucket, ($5 - p.upto + p.rows)::int AS skip
  FROM (SELECT 1) AS always LEFT JOIN LATERAL (
    SELECT * FROM placed WHERE upto > $5 ORDER BY bucket DESC LIMIT 1) AS p ON true`

const PLACE = place("($4::text[] IS NULL OR label = ANY($4))")
const PLACE_OF_ENTRY = place("$4 = ANY(string_to_array(label, ',')) AND currency = $6")

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
  return { total, skip, before: new Date(bucket === null ? 0 : (bucket + 1) * HOUR_MS) }
}

/** Like `placeInTime`, for the entries of an account of the ledger in one currency. */
export async function placeOfEntries(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  { account, currency }: { account: string; currency: string },
  offset: number
): Promise<Place<Date>> {
  const subject: Counter = "entry"
  const values = [merchant_id, environment, subject, account, offset, currency]
  const [{ total, bucket, skip }] = await sql.query<PlaceRow>(PLACE_OF_ENTRY, values)
  return { total, skip: skip ?? 0, before: new Date(bucket === null ? 0 : (bucket + 1) * HOUR_MS) }
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
