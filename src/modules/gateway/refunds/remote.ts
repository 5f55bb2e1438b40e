import { randomBytes } from "node:crypto"
import { claimedBy, json } from "../kernel/database"
import { messageOf, type Message } from "../../../i18n/message"
import { GatewayError } from "../kernel/errors"
import type { Minor } from "../kernel/money"
import { INQUIRY_SECONDS } from "../kernel/retry-schedule"
import { REPEATABLE_SECONDS } from "./rules"
import type { Database } from "../kernel/database"
import type { Cradle } from "../kernel/types"

export type RemoteRefund = {
  id: string
  transaction_id: string
  amount_minor: number
  request_key: string
  /**
   * `asked`: nobody knows yet whether the other deployment has it. `accepted`: it has, and may still reject it or fail.
   * `completed`: the money is back. `refused`: no money has moved, and none will.
   */
  state: "asked" | "accepted" | "completed" | "refused"
  refund_id: string | null
  last_error: Message | null
  /** How often the worker has looked at it. */
  asks: number
  created_at: Date
}

export type RemoteRefundOutcome = {
  state: Exclude<RemoteRefund["state"], "asked">
  refund_id?: string
  error?: Message
}

/** How often a refund without an answer is asked for again. */
const ASKED_SECONDS = 3_600

const COLUMNS = "id, transaction_id, amount_minor, request_key, state, refund_id, last_error, asks, created_at"

/** Refunds that this store has requested from another deployment's gateway (docs/decisions/0022). */
export class RemoteRefundService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Oldest first. */
  async list(transaction_id: string): Promise<RemoteRefund[]> {
    return this.database.query<RemoteRefund>(
      `SELECT ${COLUMNS} FROM gateway_remote_refund WHERE transaction_id = $1 ORDER BY created_at, id`,
      [transaction_id]
    )
  }

  /**
   * Finds or creates the refund for this key. Call it before the remote request, so that the row survives any outcome.
   */
  async reserve(request: { transaction_id: string; amount: Minor; request_key: string }): Promise<RemoteRefund> {
    const [refund] = await this.database.query<RemoteRefund>(
      `INSERT INTO gateway_remote_refund (id, transaction_id, amount_minor, request_key, next_ask_at)
       VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')
       ON CONFLICT (transaction_id, request_key) DO UPDATE SET updated_at = now() RETURNING ${COLUMNS}`,
      [
        `grr_${randomBytes(13).toString("hex")}`,
        request.transaction_id,
        Number(request.amount),
        request.request_key,
        INQUIRY_SECONDS.after(0),
      ]
    )
    return refund
  }

  /** Gives a repeated refund its new key; fails when another request has renamed it meanwhile. */
  async rename(refund: RemoteRefund, request_key: string): Promise<RemoteRefund> {
    const [renamed] = await this.database.query<RemoteRefund>(
      `UPDATE gateway_remote_refund SET request_key = $3, updated_at = now()
       WHERE id = $1 AND request_key = $2 RETURNING ${COLUMNS}`,
      [refund.id, refund.request_key, request_key]
    )
    if (renamed === undefined) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.refund_asked_again"))
    }
    return renamed
  }

  /**
   * Stores the other gateway's answer; without one the refund stays `asked`. Null when another process has stored one.
   * A refused refund stays due: what Medusa shows of it has to go.
   */
  async settle(id: string, { state, refund_id, error }: RemoteRefundOutcome): Promise<RemoteRefund | null> {
    const [settled] = await this.database.query<RemoteRefund>(
      `UPDATE gateway_remote_refund SET state = $2, refund_id = COALESCE($3, refund_id), last_error = $4, updated_at = now(),
         next_ask_at = CASE WHEN $2 = 'completed' THEN NULL ELSE next_ask_at END
       WHERE id = $1 AND (state = 'asked' OR (state = 'accepted' AND $2 <> 'accepted')) RETURNING ${COLUMNS}`,
      [id, state, refund_id ?? null, json(error)]
    )
    return settled ?? null
  }

  /**
   * Claims what is due; the claim moves it to its next time, so that an unknown outcome needs no write of its own. One
   * without an answer is due every hour as long as it may be requested again: a day later nobody could.
   */
  async claim(limit: number): Promise<RemoteRefund[]> {
    return this.database.query<RemoteRefund>(
      `UPDATE gateway_remote_refund SET asks = asks + 1, updated_at = now(),
         next_ask_at = now() + LEAST(($2::int[])[LEAST(asks + 2, cardinality($2::int[]))],
           CASE WHEN state = 'asked' AND created_at > now() - $3 * interval '1 second' THEN $4::int END) * interval '1 second'
       WHERE id ${claimedBy(`SELECT id FROM gateway_remote_refund WHERE next_ask_at IS NOT NULL AND next_ask_at <= now()
         ORDER BY next_ask_at LIMIT $1 FOR UPDATE SKIP LOCKED`)}
       RETURNING ${COLUMNS}`,
      [limit, INQUIRY_SECONDS.seconds, REPEATABLE_SECONDS, ASKED_SECONDS]
    )
  }

  /** Nothing is left to do for this refund. */
  async finish(id: string): Promise<void> {
    await this.database.query("UPDATE gateway_remote_refund SET next_ask_at = NULL, updated_at = now() WHERE id = $1", [
      id,
    ])
  }
}
