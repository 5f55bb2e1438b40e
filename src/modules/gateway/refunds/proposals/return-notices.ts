import { claimedBy, json } from "../../kernel/database/database"
import { newId } from "../../kernel/text/ids"
import type { ProposalKind } from "./rules"
import type { Failure, Lease } from "../../kernel/database/due-work"
import type { Database } from "../../kernel/database/database"
import type { Cradle } from "../../kernel/types"

export type StoreChange = { kind: ProposalKind; source_id: string; order_id: string; changed_at: Date }
export type ClaimedNotice = StoreChange & { id: string; attempts: number; lock_token: string }

/** Medusa cancels an order in several steps and refunds in the middle: only then is it clear what is left to give back. */
const CANCELLATION_SECONDS = 150

/** What happened in the store that may ask for a refund (decisions: Refunds). */
export class ReturnNoticeService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Records each change once, however often it is reported. */
  async record(changes: readonly StoreChange[]): Promise<void> {
    for (const { kind, source_id, order_id, changed_at } of changes) {
      await this.database.query(
        `INSERT INTO gateway_return_notice (id, kind, source_id, order_id, changed_at, next_attempt_at)
         VALUES ($1, $2, $3, $4, $5, CASE WHEN $2 = 'cancellation' THEN GREATEST(now(), $5::timestamptz + $6 * interval '1 second') ELSE now() END)
         ON CONFLICT (kind, source_id) DO NOTHING`,
        [newId("grn"), kind, source_id, order_id, changed_at, CANCELLATION_SECONDS]
      )
    }
  }

  /**
   * Where the search for unrecorded changes begins: the latest recorded change of this kind; at first, the first payment
   * of a cart, by an index that begins with the merchant. Null: there is none.
   */
  async since(kind: ProposalKind): Promise<Date | null> {
    const [{ at }] = await this.database.query<{ at: Date | null }>(
      `SELECT COALESCE((SELECT max(changed_at) FROM gateway_return_notice WHERE kind = $1),
                       (SELECT min(first.created_at) FROM gateway_merchant_environment e, LATERAL (
                          SELECT created_at FROM gateway_cart_completion c
                          WHERE c.merchant_id = e.merchant_id AND c.environment = e.environment
                          ORDER BY created_at LIMIT 1) AS first)) AS at`,
      [kind]
    )
    return at
  }

  /**
   * What an order costs less is counted last: goods that came back have made it cheaper too, and are proposed as what they
   * are.
   */
  async claim(limit: number, lease: Lease): Promise<ClaimedNotice[]> {
    return this.database.query<ClaimedNotice>(
      `UPDATE gateway_return_notice SET lock_token = $2, locked_until = now() + $3 * interval '1 second', updated_at = now()
       WHERE id ${claimedBy(`SELECT id FROM gateway_return_notice g
                    WHERE next_attempt_at <= now() AND (locked_until IS NULL OR locked_until <= now())
                      AND (kind <> 'edit' OR NOT EXISTS (SELECT 1 FROM gateway_return_notice other
                        WHERE other.order_id = g.order_id AND other.kind <> 'edit' AND other.next_attempt_at IS NOT NULL))
                    ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED`)}
       RETURNING id, kind, source_id, order_id, changed_at, attempts, lock_token`,
      [limit, lease.token, lease.seconds]
    )
  }

  async finish({ id, lock_token }: ClaimedNotice, outcome: string): Promise<void> {
    await this.database.query(
      `UPDATE gateway_return_notice SET outcome = $3, next_attempt_at = NULL, last_error = NULL, lock_token = NULL,
         locked_until = NULL, updated_at = now()
       WHERE id = $1 AND lock_token = $2`,
      [id, lock_token, outcome]
    )
  }

  /** It is looked at again in so many seconds; nothing has failed. */
  async putOff({ id, lock_token }: ClaimedNotice, seconds: number): Promise<void> {
    await this.database.query(
      `UPDATE gateway_return_notice SET last_error = NULL, lock_token = NULL, locked_until = NULL,
         next_attempt_at = now() + $3::int * interval '1 second', updated_at = now()
       WHERE id = $1 AND lock_token = $2`,
      [id, lock_token, seconds]
    )
  }

  async failed({ id, lock_token }: ClaimedNotice, { reason, retry_seconds }: Failure): Promise<void> {
    await this.database.query(
      `UPDATE gateway_return_notice SET attempts = attempts + 1, last_error = $4, lock_token = NULL, locked_until = NULL,
         next_attempt_at = now() + $3::int * interval '1 second', updated_at = now()
       WHERE id = $1 AND lock_token = $2`,
      [id, lock_token, retry_seconds, json(reason)]
    )
  }
}
