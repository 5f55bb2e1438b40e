import { randomBytes } from "node:crypto"
import { json } from "../kernel/database"
import { messageOf, type Message } from "../../../i18n/message"
import { GatewayError } from "../kernel/errors"
import type { Minor } from "../kernel/money"
import type { Database } from "../kernel/database"
import type { Cradle } from "../kernel/types"

export type RemoteRefund = {
  id: string
  transaction_id: string
  amount_minor: number
  request_key: string
  state: "asked" | "accepted" | "refused"
  refund_id: string | null
  last_error: Message | null
  created_at: Date
}

const COLUMNS = "id, transaction_id, amount_minor, request_key, state, refund_id, last_error, created_at"

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
      `INSERT INTO gateway_remote_refund (id, transaction_id, amount_minor, request_key) VALUES ($1, $2, $3, $4)
       ON CONFLICT (transaction_id, request_key) DO UPDATE SET updated_at = now() RETURNING ${COLUMNS}`,
      [`grr_${randomBytes(13).toString("hex")}`, request.transaction_id, Number(request.amount), request.request_key]
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

  /** Stores the other gateway's answer; without one the refund stays `asked`. */
  async settle(
    id: string,
    answer: { state: "accepted" | "refused"; refund_id?: string; error?: Message }
  ): Promise<void> {
    await this.database.query(
      `UPDATE gateway_remote_refund SET state = $2, refund_id = $3, last_error = $4, updated_at = now()
       WHERE id = $1 AND state = 'asked'`,
      [id, answer.state, answer.refund_id ?? null, json(answer.error)]
    )
  }
}
