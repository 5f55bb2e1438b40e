import type { Database } from "../kernel/database"
import type { Cradle } from "../kernel/types"

/** What the e-mail to a refund's customer contains. Amounts in poisha. */
export type RefundNotice = {
  id: string
  email: string
  customer_name: string
  merchant_name: string
  order_id: string
  amount_minor: number
  currency: string
  reason: string
  completed_at: Date
}

/** Completed refunds whose customers are to be notified (contract 4.8: notify_customer). */
export class RefundNoticeService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Those that were completed within a day, by real time; what could not be told by then is not told any more. */
  async unnotified(limit: number): Promise<RefundNotice[]> {
    return this.database.query<RefundNotice>(
      `SELECT r.id, s.customer ->> 'email' AS email, s.customer ->> 'name' AS customer_name, m.name AS merchant_name, s.order_id,
              r.amount_minor, r.currency, r.reason, r.completed_at
       FROM gateway_refund r
       JOIN gateway_transaction t ON t.id = r.transaction_id
       JOIN gateway_checkout_session s ON s.id = t.session_id
       JOIN gateway_merchant m ON m.id = r.merchant_id
       WHERE r.state = 'completed' AND r.notify_customer AND r.customer_notified_at IS NULL
         AND r.updated_at > now() - interval '1 day'
       ORDER BY r.completed_at LIMIT $1`,
      [limit]
    )
  }

  async markNotified(id: string): Promise<void> {
    await this.database.query("UPDATE gateway_refund SET customer_notified_at = now() WHERE id = $1", [id])
  }
}
