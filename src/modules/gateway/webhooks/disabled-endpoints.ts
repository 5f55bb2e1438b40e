import type { Message } from "../../../i18n/message"
import { claimedBy, type Database } from "../kernel/database/database"
import type { Lease } from "../kernel/database/due-work"
import type { Cradle, Tenant } from "../kernel/types"

export type DisabledEndpoint = {
  id: string
  endpoint_url: string
  disabled_reason: Message
  disabled_at: Date
  environment: Tenant["environment"]
  merchant_name: string
  email: string | null
}

/** Endpoints that the worker has disabled, until their merchant knows it (decisions: Webhooks). */
export class DisabledEndpointService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /**
   * Claims those that were disabled within a day and whose merchant does not know it yet, with its address. `updated_at`
   * says when that was, so a claim leaves it alone.
   */
  async claim(limit: number, lease: Lease): Promise<DisabledEndpoint[]> {
    return this.database.query<DisabledEndpoint>(
      `WITH claimed AS (
         UPDATE gateway_webhook_endpoint SET locked_until = now() + $2 * interval '1 second'
         WHERE id ${claimedBy(`SELECT id FROM gateway_webhook_endpoint
                      WHERE NOT is_active AND disabled_reason IS NOT NULL AND disabled_notified_at IS NULL
                        AND deleted_at IS NULL AND updated_at > now() - interval '1 day'
                        AND (locked_until IS NULL OR locked_until <= now())
                      ORDER BY updated_at LIMIT $1 FOR UPDATE SKIP LOCKED`)}
         RETURNING *)
       SELECT e.id, e.endpoint_url, e.disabled_reason, e.environment, e.updated_at AS disabled_at,
              m.name AS merchant_name, m.email
       FROM claimed e JOIN gateway_merchant m ON m.id = e.merchant_id ORDER BY e.updated_at`,
      [limit, lease.seconds]
    )
  }

  async markNotified(id: string): Promise<void> {
    await this.database.query(
      "UPDATE gateway_webhook_endpoint SET disabled_notified_at = now(), locked_until = NULL WHERE id = $1",
      [id]
    )
  }
}
