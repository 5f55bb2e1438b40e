import { MEDUSA_KEY, MEDUSA_SECONDS, SYNC_TASK } from "./rules"
import type { Sql } from "../../kernel/database/database"

/** The call to the acquirer is mostly over by then; what it leaves open is shown as a refund under way. */
const GATEWAY_SECONDS = 60

/**
 * Notes, in the transaction of the change (`sql`), that refunds of carts' payments have to be shown on their Medusa
 * orders, or removed from them. Call it only for payments of carts; a refund that waits for approval is not noted yet.
 */
export async function noteForOrders(sql: Sql, refund_ids: readonly string[]): Promise<void> {
  await sql.query(NOTE, [refund_ids, MEDUSA_SECONDS, GATEWAY_SECONDS], "gateway_note_order_refunds")
}

const NOTE = `
  WITH noted AS (
    INSERT INTO gateway_order_refund
      (id, refund_id, transaction_id, merchant_id, environment, origin, medusa_refund_id, next_attempt_at, history)
    SELECT 'gor_' || replace(gen_random_uuid()::text, '-', ''), r.id, r.transaction_id, r.merchant_id, r.environment,
           CASE WHEN r.request_key LIKE '${MEDUSA_KEY}%' THEN 'medusa' ELSE 'gateway' END,
           CASE WHEN r.request_key LIKE '${MEDUSA_KEY}%' THEN substr(r.request_key, ${MEDUSA_KEY.length + 1}) END,
           now() + (CASE WHEN r.request_key LIKE '${MEDUSA_KEY}%' THEN $2::int ELSE $3::int END) * interval '1 second', '[]'
    FROM gateway_refund r WHERE r.id = ANY($1) AND r.state NOT IN ('pending', 'cancelled')
    ON CONFLICT (refund_id) DO UPDATE SET revision = gateway_order_refund.revision + 1, updated_at = now(), next_attempt_at =
      CASE WHEN gateway_order_refund.origin = 'medusa'
      THEN GREATEST(now(), gateway_order_refund.created_at + $2::int * interval '1 second') ELSE now() END
    RETURNING next_attempt_at)
  SELECT gateway_add_job('${SYNC_TASK}') FROM noted WHERE next_attempt_at <= now() LIMIT 1`
