import { columnar, type Sql } from "../kernel/database/database"
import { newId } from "../kernel/text/ids"

/**
 * Queues an e-mail to the customer of each subscription that was just cancelled, in the transaction of the cancellation;
 * the portal slice sends it afterwards (docs/decisions/18). A cancellation has one, whoever repeats it. None of what never began or was never paid, none without an
 * address, and none where the merchant sends its customers no confirmations (`receipts`).
 */
export async function queueCancellationMails(sql: Sql, cancelled: readonly { next: { id: string } }[]): Promise<void> {
  if (cancelled.length === 0) {
    return
  }
  const rows = cancelled.map(({ next: { id: subscription_id } }) => ({ id: newId("gcm"), subscription_id }))
  const { source, values } = columnar({ id: "text", subscription_id: "text" }, rows)
  await sql.query(
    `INSERT INTO gateway_cancellation_mail (id, merchant_id, environment, subscription_id, cancelled_at, next_attempt_at)
     SELECT input.id, s.merchant_id, s.environment, s.id, s.cancelled_at, now() FROM ${source}
     JOIN gateway_subscription s ON s.id = input.subscription_id AND s.current_period_start IS NOT NULL
     JOIN gateway_customer c ON c.id = s.customer_id AND c.email <> ''
     JOIN gateway_merchant_environment e ON e.merchant_id = s.merchant_id AND e.environment = s.environment AND e.receipts
     ON CONFLICT (subscription_id, cancelled_at) DO NOTHING`,
    values
  )
}
