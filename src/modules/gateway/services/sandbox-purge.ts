import { LIMITS } from "../domain/limits"
import type { Database } from "../database"
import type { Cradle } from "../types"

/**
 * Forgets sandbox data older than seven days, in real time whatever the sandbox clocks say (decisions:
 * Environments). Keys, merchants and configurations stay.
 */
export class SandboxPurgeService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Answers how many rows went, by table. One transaction: nobody sees a transaction without its session. */
  async run(): Promise<Record<string, number>> {
    return this.database.transaction(async (sql) => {
      // Before the ledger's totals, as whoever pays or refunds does: the other way round both might wait for ever.
      await sql.query(`SELECT 1 FROM gateway_transaction WHERE ${OLD_SANDBOX} ORDER BY id FOR UPDATE`, [LIMITS.sandboxLifeDays])
      const removed: Record<string, number> = {}
      for (const [table, condition] of PURGES) {
        const [{ count }] = await sql.query<{ count: number }>(
          `WITH gone AS (DELETE FROM ${table} WHERE ${condition} RETURNING 1) SELECT count(*)::int AS count FROM gone`,
          [LIMITS.sandboxLifeDays]
        )
        removed[table] = count
      }
      return removed
    })
  }
}

const OLD = "created_at < now() - $1 * interval '1 day'"
const OLD_SANDBOX = `environment = 'sandbox' AND ${OLD}`
const OF_OLD_TRANSACTION = `transaction_id IN (SELECT id FROM gateway_transaction WHERE ${OLD_SANDBOX})`

const OF_OLD_PAYOUT = `payout_id IN (SELECT id FROM gateway_payout WHERE ${OLD_SANDBOX})`

/** In the order of the foreign keys: what points to a transaction goes before it, however young it is. */
const PURGES: readonly (readonly [table: string, condition: string])[] = [
  ["gateway_ledger_entry", `${OF_OLD_TRANSACTION} OR ${OF_OLD_PAYOUT}`],
  ["gateway_payout", OLD_SANDBOX],
  ["gateway_cart_completion", OF_OLD_TRANSACTION],
  ["gateway_emi_plan", OF_OLD_TRANSACTION],
  ["gateway_order_refund", OF_OLD_TRANSACTION],
  ["gateway_refund", OF_OLD_TRANSACTION],
  [
    "gateway_refund_batch",
    `${OLD_SANDBOX} AND NOT EXISTS (SELECT 1 FROM gateway_refund r WHERE r.batch_id = gateway_refund_batch.id)`,
  ],
  ["gateway_store_purchase", `subscription_id IS NULL AND ${OF_OLD_TRANSACTION}`],
  ["gateway_transaction", OLD_SANDBOX],
  [
    "gateway_checkout_session",
    `${OLD_SANDBOX} AND NOT EXISTS (SELECT 1 FROM gateway_transaction t WHERE t.session_id = gateway_checkout_session.id)`,
  ],
  ["gateway_event", OLD_SANDBOX],
  ["gateway_idempotency_key", OLD_SANDBOX],
  ["gateway_sandbox_operation", OLD],
]
