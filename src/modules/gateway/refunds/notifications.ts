import type { Database } from "../kernel/database"
import type { Lease } from "../kernel/due-work"
import type { Cradle } from "../kernel/types"

/** What the e-mail to a refund's customer contains. Amounts in poisha. */
export type RefundNotice = {
  id: string
  email: string
  customer_name: string
  merchant_name: string
  order_id: string
  /** What people read as the order's number. */
  order_number: string
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

  /**
   * Claims those that were completed within a day, by real time; who could not be notified by then is not notified any
   * more. The lease is in the columns of a pending refund's: one that is completed has no other use for them.
   */
  async claim(limit: number, { token, seconds }: Lease): Promise<RefundNotice[]> {
    return this.database.query<RefundNotice>(
      `WITH claimed AS (
         UPDATE gateway_refund SET lock_token = $2, locked_until = now() + $3 * interval '1 second'
         WHERE id IN (SELECT id FROM gateway_refund
                      WHERE state = 'completed' AND completed_at IS NOT NULL AND notify_customer AND customer_notified_at IS NULL
                        AND updated_at > now() - interval '1 day' AND (locked_until IS NULL OR locked_until <= now())
                      ORDER BY completed_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING *)
       SELECT r.id, s.customer ->> 'email' AS email, s.customer ->> 'name' AS customer_name, m.name AS merchant_name, s.order_id,
              COALESCE(s.order_number, s.order_id) AS order_number,
              r.amount_minor, r.currency, r.reason, r.completed_at
       FROM claimed r
       JOIN gateway_transaction t ON t.id = r.transaction_id
       JOIN gateway_checkout_session s ON s.id = t.session_id
       JOIN gateway_merchant m ON m.id = r.merchant_id
       ORDER BY r.completed_at`,
      [limit, token, seconds]
    )
  }

  async markNotified(id: string): Promise<void> {
    await this.database.query(
      "UPDATE gateway_refund SET customer_notified_at = now(), lock_token = NULL, locked_until = NULL WHERE id = $1",
      [id]
    )
  }
}
