import { sandboxVaultId } from "../kernel/text/ids"
import { LIMITS } from "../kernel/limits"
import { SEALED } from "../kernel/database/sealed-columns"
import { UnreadableSecret, type SecretBox } from "../kernel/database/secret-box"
import type { Database, Sql } from "../kernel/database/database"
import type { Cradle } from "../kernel/types"

/**
 * Deletes sandbox data older than seven days, in real time whatever the sandbox clocks say (decisions: Environments).
 * Keys, merchants and configurations stay.
 */
export class SandboxPurgeService {
  private readonly database: Database
  private readonly secretBox: SecretBox

  constructor({ database, secretBox }: Cradle) {
    this.database = database
    this.secretBox = secretBox
  }

  /** Returns the number of deleted rows by table. One transaction: nobody sees a transaction without its session. */
  async run(): Promise<Record<string, number>> {
    return this.database.transaction(async (sql) => {
      // Lock order: transactions before the ledger's totals, as payments and refunds lock them. The other order could
      // deadlock.
      await sql.query(`SELECT 1 FROM gateway_transaction WHERE ${OLD_SANDBOX} ORDER BY id FOR UPDATE`, [
        LIMITS.sandboxLifeDays,
      ])
      // Nothing of an import may be posted or undone between the deletion of its entries and of its lines.
      await sql.query(`SELECT 1 FROM gateway_settlement_import WHERE ${OLD_IMPORT} ORDER BY id FOR UPDATE`, [
        LIMITS.sandboxLifeDays,
      ])
      await sql.query(
        `SELECT 1 FROM gateway_settlement_line WHERE import_id IN (${OLD_IMPORTS}) ORDER BY id FOR UPDATE`,
        [LIMITS.sandboxLifeDays]
      )
      const removed: Record<string, number> = {}
      for (const [table, condition] of PURGES) {
        const [{ count }] = await sql.query<{ count: number }>(
          `WITH gone AS (DELETE FROM ${table} WHERE ${condition} RETURNING 1) SELECT count(*)::int AS count FROM gone`,
          [LIMITS.sandboxLifeDays]
        )
        removed[table] = count
      }
      removed.gateway_sandbox_instrument = await this.purgeVault(sql)
      return removed
    })
  }

  /** The sandbox acquirer's data of a token goes when its instrument, or the instrument's token, is gone. */
  private async purgeVault(sql: Sql): Promise<number> {
    const kept = await sql.query<{ id: string; token: string }>(
      "SELECT id, token FROM gateway_instrument WHERE environment = 'sandbox' AND acquirer = 'sandbox' AND token IS NOT NULL"
    )
    const [{ count }] = await sql.query<{ count: number }>(
      `WITH gone AS (
         DELETE FROM gateway_sandbox_instrument v
         WHERE ${OLD} AND NOT EXISTS (SELECT 1 FROM unnest($2::text[]) AS kept (id) WHERE kept.id = v.id) RETURNING 1)
       SELECT count(*)::int AS count FROM gone`,
      [LIMITS.sandboxLifeDays, kept.flatMap((row) => this.vaultIdOf(row))]
    )
    return count
  }

  /** Empty for a token that cannot be decrypted: it cannot be charged either. */
  private vaultIdOf({ id, token }: { id: string; token: string }): string[] {
    try {
      return [sandboxVaultId(this.secretBox.open(token, SEALED.instrumentToken, id))]
    } catch (error) {
      if (error instanceof UnreadableSecret) {
        return []
      }
      throw error
    }
  }
}

const OLD = "created_at < now() - $1 * interval '1 day'"
const OLD_SANDBOX = `environment = 'sandbox' AND ${OLD}`
/** The payment of a period, with everything that belongs to it, stays as long as its subscription. */
const OLD_TRANSACTION = `${OLD_SANDBOX}
  AND NOT EXISTS (SELECT 1 FROM gateway_billing_record r WHERE r.transaction_id = gateway_transaction.id)`
const OF_OLD_TRANSACTION = `transaction_id IN (SELECT id FROM gateway_transaction WHERE ${OLD_TRANSACTION})`
const OF_OLD_PAYOUT = `payout_id IN (SELECT id FROM gateway_payout WHERE ${OLD_SANDBOX})`
/** The id of a posting about cash begins with its order's. */
const OF_OLD_CASH = `kind IN ('cash_ordered', 'cash_collected', 'cash_given_up', 'cash_returned')
  AND split_part(posting, ':', 1) IN (SELECT id FROM gateway_cash_order WHERE ${OLD_SANDBOX})`
/** A settlement stays as long as a younger deposit brings a part of it. */
const OLD_IMPORT = `${OLD_SANDBOX} AND NOT EXISTS (
  SELECT 1 FROM gateway_settlement_allocation a
  JOIN gateway_settlement_line d ON d.id = a.deposit_id JOIN gateway_settlement_import b ON b.id = d.import_id
  JOIN gateway_settlement_line l ON l.import_id = gateway_settlement_import.id AND l.source = a.source
    AND COALESCE(l.batch, l.import_id) = a.batch
  WHERE a.merchant_id = gateway_settlement_import.merchant_id AND a.environment = 'sandbox'
    AND b.created_at >= now() - $1 * interval '1 day')`
const OLD_IMPORTS = `SELECT id FROM gateway_settlement_import WHERE ${OLD_IMPORT}`
/** The id of a posting about settlements begins with its import's. */
const OF_OLD_IMPORT = `kind IN ('settlement_matched', 'settlement_undone', 'deposit_matched', 'deposit_undone')
  AND split_part(posting, ':', 1) IN (${OLD_IMPORTS})`
const OF_OLD_SUBSCRIPTION = `subscription_id IN (SELECT id FROM gateway_subscription WHERE ${OLD_SANDBOX})`
const unused = (table: string, column: string, by: string) =>
  `${OLD_SANDBOX} AND NOT EXISTS (SELECT 1 FROM ${by} other WHERE other.${column} = ${table}.id)`

/**
 * In the order of the foreign keys: rows that reference a transaction or subscription are deleted first, however
 * recent. Plans stay, and so do the series of invoice numbers: no number is used twice.
 */
const PURGES: readonly (readonly [table: string, condition: string])[] = [
  ["gateway_invoice", OF_OLD_SUBSCRIPTION],
  ["gateway_billing_record", OF_OLD_SUBSCRIPTION],
  ["gateway_subscription", OLD_SANDBOX],
  ["gateway_instrument", unused("gateway_instrument", "instrument_id", "gateway_subscription")],
  [
    "gateway_customer",
    `${unused("gateway_customer", "customer_id", "gateway_subscription")}
       AND NOT EXISTS (SELECT 1 FROM gateway_instrument i WHERE i.customer_id = gateway_customer.id)`,
  ],
  ["gateway_ledger_entry", `${OF_OLD_TRANSACTION} OR ${OF_OLD_PAYOUT} OR ${OF_OLD_CASH} OR ${OF_OLD_IMPORT}`],
  // Figures of closed months would not be those of what is left.
  [
    "gateway_settlement_month",
    `environment = 'sandbox' AND (merchant_id, source) IN (
       SELECT merchant_id, source FROM gateway_settlement_import WHERE ${OLD_IMPORT}
       UNION ALL SELECT a.merchant_id, a.source FROM gateway_settlement_allocation a
       JOIN gateway_settlement_line d ON d.id = a.deposit_id AND d.import_id IN (${OLD_IMPORTS})
       UNION ALL SELECT merchant_id, acquirer FROM gateway_transaction WHERE ${OLD_TRANSACTION}
       UNION ALL SELECT merchant_id, acquirer FROM gateway_payment_attempt WHERE ${OF_OLD_TRANSACTION} AND surplus_minor IS NOT NULL
       UNION ALL SELECT o.merchant_id, m.source FROM gateway_cash_order o JOIN gateway_settlement_month m
         ON m.merchant_id = o.merchant_id AND m.environment = 'sandbox' AND m.source LIKE 'courier:%'
       WHERE o.id IN (SELECT id FROM gateway_cash_order WHERE ${OLD_SANDBOX}))`,
  ],
  ["gateway_settlement_import", OLD_IMPORT],
  ["gateway_cash_order", OLD_SANDBOX],
  ["gateway_dispute", OF_OLD_TRANSACTION],
  ["gateway_payout", OLD_SANDBOX],
  ["gateway_cart_completion", OF_OLD_TRANSACTION],
  ["gateway_emi_plan", OF_OLD_TRANSACTION],
  ["gateway_order_refund", OF_OLD_TRANSACTION],
  ["gateway_refund_proposal", OF_OLD_TRANSACTION],
  ["gateway_refund", OF_OLD_TRANSACTION],
  ["gateway_refund_batch", unused("gateway_refund_batch", "batch_id", "gateway_refund")],
  ["gateway_capture", OF_OLD_TRANSACTION],
  ["gateway_authorization", OF_OLD_TRANSACTION],
  ["gateway_payment_attempt", OF_OLD_TRANSACTION],
  ["gateway_store_purchase", `subscription_id IS NULL AND ${OF_OLD_TRANSACTION}`],
  [
    "gateway_store_purchase",
    `subscription_id IS NULL AND transaction_id IS NULL AND locked_until IS NULL AND ${OLD_SANDBOX}`,
  ],
  ["gateway_transaction", OLD_TRANSACTION],
  ["gateway_payment_link", unused("gateway_payment_link", "link_id", "gateway_transaction")],
  ["gateway_checkout_session", unused("gateway_checkout_session", "session_id", "gateway_transaction")],
  ["gateway_hook_call", OLD_SANDBOX],
  ["gateway_webhook_attempt", `delivery_id IN (SELECT id FROM gateway_webhook_delivery WHERE ${OLD_SANDBOX})`],
  // Before their events: a delivery without its event could be claimed, and never be sent.
  ["gateway_webhook_delivery", OLD_SANDBOX],
  ["gateway_event_arrival", OLD_SANDBOX],
  ["gateway_event_position", OLD_SANDBOX],
  ["gateway_event", OLD_SANDBOX],
  ["gateway_idempotency_key", OLD_SANDBOX],
  ["gateway_sandbox_operation", OLD],
]
