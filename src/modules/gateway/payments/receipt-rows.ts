import { columnar, type Sql } from "../kernel/database/database"
import { newId } from "../kernel/text/ids"
import type { Tenant } from "../kernel/types"

/** A payment has succeeded, or with `refund_id` a refund is complete, at `at` on the merchant's clock. */
export type ReceiptOccasion = Tenant & { transaction_id: string; refund_id: string | null; at: Date }

const ROW = {
  id: "text",
  merchant_id: "text",
  environment: "text",
  kind: "text",
  transaction_id: "text",
  resource_id: "text",
  due_at: "timestamptz",
}
const NAMES = Object.keys(ROW).join(", ")

/**
 * Queues the receipts of payments and refunds in the transaction that records them; the receipts slice sends them
 * afterwards, soon: a worker is woken at COMMIT. What has its receipt already gets no second one.
 */
export async function queueReceipts(sql: Sql, occasions: readonly ReceiptOccasion[]): Promise<void> {
  if (occasions.length === 0) {
    return
  }
  const rows = occasions.map(({ merchant_id, environment, transaction_id, refund_id, at }) => ({
    id: newId("rcp"),
    merchant_id,
    environment,
    kind: refund_id === null ? "payment" : "refund",
    transaction_id,
    resource_id: refund_id ?? transaction_id,
    due_at: at,
  }))
  const { source, values } = columnar(ROW, rows)
  await sql.query(
    `WITH queued AS (
       INSERT INTO gateway_receipt (${NAMES}, next_attempt_at) SELECT ${NAMES}, now() FROM ${source}
       ON CONFLICT (resource_id, step) DO NOTHING RETURNING 1)
     SELECT gateway_wake_worker()::text AS woken FROM queued LIMIT 1`,
    values
  )
}
