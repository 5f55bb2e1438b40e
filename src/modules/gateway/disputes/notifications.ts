import { claimedBy, type Database } from "../kernel/database/database"
import type { Lease } from "../kernel/database/due-work"
import type { Cradle, Tenant } from "../kernel/types"
import type { DisputeNotification, DisputeReason } from "./rules"
import type { DisputeState } from "./states"

/** What an e-mail to the merchant says about a dispute; `notice` says which. Amounts in hundredths of the currency. */
export type DueDisputeNotification = {
  id: string
  notice: DisputeNotification
  state: DisputeState
  reason: DisputeReason
  amount_minor: number
  currency: string
  due_by: Date | null
  transaction_id: string
  order_number: string
  environment: Tenant["environment"]
  merchant_name: string
  email: string | null
}

/** E-mails about disputes that their merchants are still to get. */
export class DisputeNotificationService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /**
   * One that could not be sent for a day, by real time, is not sent any more. A later notice takes an earlier's place.
   */
  async claim(limit: number, lease: Lease): Promise<DueDisputeNotification[]> {
    return this.database.query<DueDisputeNotification>(
      `WITH claimed AS (
         UPDATE gateway_dispute SET locked_until = now() + $2 * interval '1 second'
         WHERE id ${claimedBy(`SELECT id FROM gateway_dispute
                      WHERE notice IS NOT NULL AND updated_at > now() - interval '1 day'
                        AND (locked_until IS NULL OR locked_until <= now())
                      ORDER BY updated_at LIMIT $1 FOR UPDATE SKIP LOCKED`)}
         RETURNING *)
       SELECT d.id, d.notice, d.state, d.reason, d.amount_minor, d.currency, d.due_by, d.transaction_id,
              COALESCE(s.order_number, t.order_id) AS order_number, d.environment, m.name AS merchant_name, m.email
       FROM claimed d JOIN gateway_merchant m ON m.id = d.merchant_id
       JOIN gateway_transaction t ON t.id = d.transaction_id JOIN gateway_checkout_session s ON s.id = t.session_id
       WHERE d.notice IS NOT NULL ORDER BY d.updated_at`,
      [limit, lease.seconds]
    )
  }

  /** Another notice that has become due meanwhile stays. */
  async markNotified({ id, notice }: Pick<DueDisputeNotification, "id" | "notice">): Promise<void> {
    await this.database.query(
      `UPDATE gateway_dispute SET notice = CASE WHEN notice <> $2 THEN notice END, locked_until = NULL WHERE id = $1`,
      [id, notice]
    )
  }
}
