import { claimedBy, type Database } from "../../kernel/database/database"
import type { Lease } from "../../kernel/database/due-work"
import type { Cradle, Tenant } from "../../kernel/types"
import { endsSoon } from "./states"

/** Reserved money whose merchant is to be warned. `left_minor`: what can still be captured, in hundredths of the currency. */
export type EndingAuthorization = {
  id: string
  transaction_id: string
  order_number: string
  currency: string
  amount_minor: number
  left_minor: number
  capture_before: Date
  environment: Tenant["environment"]
  merchant_name: string
  time_zone: string
  email: string | null
}

const NOW = "(now() + e.clock_offset_seconds * interval '1 second')"

/** E-mails to merchants before reserved money is lost (decisions: Captures). */
export class CaptureWarningService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Claims what ends soon by its merchant's clock, and of which the merchant was not warned. */
  async claim(limit: number, lease: Lease): Promise<EndingAuthorization[]> {
    return this.database.query<EndingAuthorization>(
      `WITH claimed AS (
         UPDATE gateway_authorization SET locked_until = now() + $2 * interval '1 second'
         WHERE id ${claimedBy(`SELECT z.id FROM gateway_authorization z
                      JOIN gateway_merchant_environment e ON e.merchant_id = z.merchant_id AND e.environment = z.environment
                      WHERE ${endsSoon(NOW)} AND z.capture_before > ${NOW} AND z.warned_at IS NULL
                        AND NOT (z.is_single AND z.captured_minor > 0)
                        AND (z.locked_until IS NULL OR z.locked_until <= now())
                      ORDER BY z.capture_before LIMIT $1 FOR UPDATE OF z SKIP LOCKED`)}
         RETURNING *)
       SELECT z.id, z.transaction_id, COALESCE(s.order_number, t.order_id) AS order_number, z.currency, z.amount_minor,
              z.amount_minor - z.captured_minor AS left_minor, z.capture_before, z.environment, m.name AS merchant_name, e.time_zone, m.email
       FROM claimed z JOIN gateway_merchant m ON m.id = z.merchant_id
       JOIN gateway_merchant_environment e ON e.merchant_id = z.merchant_id AND e.environment = z.environment
       JOIN gateway_transaction t ON t.id = z.transaction_id JOIN gateway_checkout_session s ON s.id = t.session_id
       ORDER BY z.capture_before`,
      [limit, lease.seconds]
    )
  }

  async markWarned(id: string): Promise<void> {
    await this.database.query(
      `UPDATE gateway_authorization z SET warned_at = ${NOW}, locked_until = NULL
       FROM gateway_merchant_environment e
       WHERE z.id = $1 AND e.merchant_id = z.merchant_id AND e.environment = z.environment`,
      [id]
    )
  }
}
