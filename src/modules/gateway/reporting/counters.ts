import type { Database } from "../kernel/database"
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

/** Keeps the counters short (models/counter.ts): they are correct without it, but slower to add up. */
export class CounterService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Returns how many new rows were folded. One process at a time: two would lock the same rows in different orders. */
  async fold(): Promise<number> {
    return this.database.transaction(async (sql) => {
      const [{ mine }] = await sql.query<{ mine: boolean }>(
        "SELECT pg_try_advisory_xact_lock(hashtext('gateway_fold_counters')) AS mine"
      )
      if (!mine) {
        return 0
      }
      const [{ count }] = await sql.query<{ count: number }>(FOLD, [BATCH])
      return count
    })
  }
}
