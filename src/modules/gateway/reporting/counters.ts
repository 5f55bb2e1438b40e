import { ADVISORY_LOCKS, type Database } from "../kernel/database/database"
import { BY_DAY_LATER, firstHourApart, HOURS_OF_DAY } from "../kernel/database/counter-rules"
import type { Cradle } from "../kernel/types"

const BATCH = 20_000
const KEY = "merchant_id, environment, subject, label, currency, bucket"

/** Merges the rows of one key into one. A concurrent reader sees the sum either of the rows before or of this one. */
const FOLD = `
  WITH fresh AS (SELECT id FROM gateway_counter WHERE NOT is_folded LIMIT $1),
  gone AS (
    DELETE FROM gateway_counter t USING (SELECT DISTINCT ${KEY} FROM gateway_counter JOIN fresh USING (id)) AS k
    WHERE (t.merchant_id, t.environment, t.subject, t.label, t.currency, t.bucket)
          = (k.merchant_id, k.environment, k.subject, k.label, k.currency, k.bucket)
      AND (t.is_folded OR t.id IN (SELECT id FROM fresh))
    RETURNING t.*),
  folded AS (
    INSERT INTO gateway_counter (${KEY}, count, amount_minor, fee_minor, is_folded)
    SELECT ${KEY}, sum(count), sum(amount_minor), sum(fee_minor), true FROM gone GROUP BY ${KEY}
    HAVING sum(count) <> 0 OR sum(amount_minor) <> 0 OR sum(fee_minor) <> 0)
  SELECT count(*)::int AS count FROM gone WHERE NOT is_folded`

/**
 * Merges hours that are no longer counted apart into their day. Readers have taken them for the day since a day ago
 * (kernel/database/counters.ts), whatever their clocks say.
 */
const FOLD_HOURS = `
  WITH old AS (
    SELECT id FROM gateway_counter
    WHERE is_folded AND subject IN (${BY_DAY_LATER.map((subject) => `'${subject}'`).join(", ")})
      AND bucket % ${HOURS_OF_DAY} <> 0 AND bucket < $2
    ORDER BY bucket LIMIT $1),
  days AS (
    SELECT DISTINCT merchant_id, environment, subject, label, currency, bucket - bucket % ${HOURS_OF_DAY} AS day
    FROM gateway_counter JOIN old USING (id)),
  gone AS (
    DELETE FROM gateway_counter t USING days d
    WHERE (t.merchant_id, t.environment, t.subject, t.label, t.currency)
          = (d.merchant_id, d.environment, d.subject, d.label, d.currency)
      AND t.bucket >= d.day AND t.bucket < d.day + ${HOURS_OF_DAY} AND t.is_folded
    RETURNING t.*, d.day),
  folded AS (
    INSERT INTO gateway_counter (${KEY}, count, amount_minor, fee_minor, is_folded)
    SELECT merchant_id, environment, subject, label, currency, day, sum(count), sum(amount_minor), sum(fee_minor), true
    FROM gone GROUP BY merchant_id, environment, subject, label, currency, day
    HAVING sum(count) <> 0 OR sum(amount_minor) <> 0 OR sum(fee_minor) <> 0)
  SELECT count(*)::int AS count FROM old`

/** Keeps the counters short (models/merchants.ts): they are correct without it, but slower to add up. */
export class CounterService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Returns how many rows were folded. One process at a time: two would lock the same rows in different orders. */
  async fold(): Promise<number> {
    return this.database.transaction(async (sql) => {
      const [{ mine }] = await sql.query<{ mine: boolean }>(
        `SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.counters}) AS mine`
      )
      if (!mine) {
        return 0
      }
      const [fresh] = await sql.query<{ count: number }>(FOLD, [BATCH])
      const firstHour = firstHourApart(new Date()) - HOURS_OF_DAY
      const [hours] = await sql.query<{ count: number }>(FOLD_HOURS, [BATCH, firstHour])
      return fresh.count + hours.count
    })
  }
}
