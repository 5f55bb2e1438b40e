import { ADVISORY_LOCKS, type Database } from "../kernel/database/database"
import type { Cradle } from "../kernel/types"

/** Longer than any transaction of the gateway, and than clocks of two database servers differ after a failover. */
const LAG_S = 3_600

/*
 * An entry's `created_at` is the beginning of its transaction. A transaction that began before the moment may commit
 * after it, so the moment is before the beginning of every transaction that is still open. It is read by a statement of
 * its own: the statement that adds up must see all that was committed until then.
 */
const UNTIL = `
  SELECT LEAST(now() - $1 * interval '1 second', min(xact_start)) AS until FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`

const MOVE = `
  INSERT INTO gateway_ledger_checkpoint AS checkpoint
    (id, merchant_id, environment, account, currency, balance_minor, counted_until)
  SELECT 'glc_' || md5(merchant_id || environment || account || currency), merchant_id, environment, account, currency,
         sum(amount_minor), $1
  FROM gateway_ledger_entry
  WHERE created_at >= COALESCE((SELECT max(counted_until) FROM gateway_ledger_checkpoint), '-infinity') AND created_at < $1
  GROUP BY merchant_id, environment, account, currency
  ON CONFLICT (merchant_id, environment, account, currency) DO UPDATE
    SET balance_minor = checkpoint.balance_minor + excluded.balance_minor, counted_until = excluded.counted_until,
        updated_at = now()
  RETURNING id`

/**
 * Keeps the sums of the ledger's past, so that the check of the last minutes need not add it up (docs/decisions/09).
 */
export class CheckpointService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /**
   * Adds to the checkpoints what was written since they were last moved, up to an hour ago; returns how many have
   * changed. Without new entries the moment stays where it is: nothing lies between. One process at a time.
   * @param lag how long ago, in seconds
   */
  async move(lag = LAG_S): Promise<number> {
    return this.database.transaction(async (sql) => {
      const [{ mine }] = await sql.query<{ mine: boolean }>(
        `SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.ledgerCheckpoint}) AS mine`
      )
      if (!mine) {
        return 0
      }
      const [{ until }] = await sql.query<{ until: Date }>(UNTIL, [lag])
      return (await sql.query<{ id: string }>(MOVE, [until])).length
    })
  }
}
