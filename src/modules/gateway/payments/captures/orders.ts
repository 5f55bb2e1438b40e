import { messageOf } from "../../../../i18n/message"
import { claimedBy, type Database } from "../../kernel/database/database"
import type { Lease } from "../../kernel/database/due-work"
import { GatewayError } from "../../kernel/errors"
import type { Minor } from "../../kernel/money/money"
import type { Cradle } from "../../kernel/types"
import type { TransactionService } from "../transactions"
import { lockPayment } from "./service"
import { authorizationById, capturesOf, type Authorization, type Capture } from "./records"

/** Every open authorisation of an order is looked at this often, because Medusa's events may be lost. */
const SWEEP_MINUTES = 10

/** A payment whose money was authorised, and Medusa's payment session of it. */
export type ClaimedAuthorization = {
  id: string
  payment_session_id: string
  transaction_id: string
  /** The lease: what changes meanwhile sets another time, and is then looked at. */
  store_due_at: string
}

/** Which authorised payments of Medusa's orders are to be brought in line, on either side (decisions: Captures). */
export class OrderCaptureService {
  private readonly database: Database
  private readonly transactions: TransactionService

  constructor({ database, transactionService }: Cradle & { transactionService: TransactionService }) {
    this.database = database
    this.transactions = transactionService
  }

  /** Medusa's captures that captures of the payment are shown by. */
  async medusaIds(transaction_id: string): Promise<string[]> {
    const captures = await capturesOf(this.database, transaction_id)
    return captures.flatMap(({ medusa_capture_id }) => medusa_capture_id ?? [])
  }

  /**
   * The capture that Medusa's new row shows: the one that it is made for (`only`), or one of the same amount that has not
   * failed; neither may be shown by another row, unless Medusa no longer has that one (`gone`). Null: there is none, and
   * the row is to capture. Errors: INVALID_STATE_TRANSITION when another row shows `only` already.
   */
  async adopt(row: {
    transaction_id: string
    amount: Minor
    medusa_capture_id: string
    gone: readonly string[]
    only: string | null
  }): Promise<Capture | null> {
    return this.database.transaction(async (sql) => {
      await lockPayment(sql, this.transactions, null, row.transaction_id)
      const captures = await capturesOf(sql, row.transaction_id)
      const isFree = ({ medusa_capture_id: id }: Capture) => id === null || row.gone.includes(id)
      const isItsOwn = (one: Capture) =>
        row.only === null ? one.state !== "failed" && BigInt(one.amount_minor) === row.amount : one.id === row.only
      const found =
        captures.find(({ medusa_capture_id }) => medusa_capture_id === row.medusa_capture_id) ??
        captures.find((one) => isItsOwn(one) && isFree(one))
      if (found === undefined && row.only !== null) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.capture_shown"))
      }
      if (found !== undefined) {
        await sql.query("UPDATE gateway_capture SET medusa_capture_id = $2, updated_at = now() WHERE id = $1", [
          found.id,
          row.medusa_capture_id,
        ])
      }
      return found ?? null
    })
  }

  /** Due: captures or an end that Medusa does not show yet, an order that has changed, or the sweep. */
  async claim(limit: number, lease: Lease): Promise<ClaimedAuthorization[]> {
    return this.database.query<ClaimedAuthorization>(
      `UPDATE gateway_authorization SET store_due_at = now() + $2 * interval '1 second', updated_at = now()
       WHERE id ${claimedBy(`SELECT d.id FROM gateway_authorization d
         WHERE d.payment_session_id IS NOT NULL AND d.ended_because IS DISTINCT FROM 'late'
           AND (d.store_due_at <= now() OR d.state = 'open' AND d.updated_at <= now() - ${SWEEP_MINUTES} * interval '1 minute')
         ORDER BY d.store_due_at NULLS LAST LIMIT $1 FOR UPDATE SKIP LOCKED`)}
       RETURNING id, transaction_id, payment_session_id, store_due_at::text AS store_due_at`,
      [limit, lease.seconds]
    )
  }

  async read(id: string): Promise<{ authorization: Authorization; captures: Capture[] } | null> {
    const authorization = await authorizationById(this.database, id)
    return authorization && { authorization, captures: await capturesOf(this.database, authorization.transaction_id) }
  }

  /** Medusa shows everything as it was claimed; what has changed since stays due. */
  async finish({ id, store_due_at }: ClaimedAuthorization): Promise<void> {
    await this.database.query(
      "UPDATE gateway_authorization SET store_due_at = NULL, updated_at = now() WHERE id = $1 AND store_due_at = $2::timestamptz",
      [id, store_due_at]
    )
  }

  /** What was captured of those of these payment sessions of whose authorised money nothing more is captured. */
  async taken(payment_session_ids: readonly string[]): Promise<[string, Minor][]> {
    const rows = await this.database.query<{ payment_session_id: string; captured_minor: number }>(
      `SELECT payment_session_id, captured_minor FROM gateway_authorization
       WHERE payment_session_id = ANY($1) AND state <> 'open' AND ended_because IS DISTINCT FROM 'late'`,
      [[...payment_session_ids]]
    )
    return rows.map(({ payment_session_id, captured_minor }) => [payment_session_id, BigInt(captured_minor)])
  }

  /** The order of these payment sessions has changed: it is looked at soon. */
  async orderChanged(payment_session_ids: readonly string[]): Promise<void> {
    await this.database.query(
      `UPDATE gateway_authorization SET store_due_at = now(), updated_at = now()
       WHERE payment_session_id = ANY($1) AND (state = 'open' OR captured_minor > 0)
         AND ended_because IS DISTINCT FROM 'late'`,
      [[...payment_session_ids]]
    )
  }
}
