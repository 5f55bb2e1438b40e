import type { Logger } from "@medusajs/framework/types"
import { limitLockWaits, type Database } from "../kernel/database/database"
import type { Cradle } from "../kernel/types"
import { PAYMENT_COLUMNS, PAYMENT_TABLES, type PaymentRecord } from "../payments/records"
import type { TransactionService } from "../payments/transactions"

/** One merchant's sandbox; its clock has come to what is due. */
type Only = { merchant_id: string; until: Date }

const DUE = `t.state = 'OPEN' AND ($2::text IS NULL OR t.merchant_id = $2 AND t.environment = 'sandbox')
  AND t.expires_at <= COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second')`

/** Ends the sessions that nobody has paid in time. */
export class SessionExpiryService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly transactions: TransactionService

  constructor({ database, logger, transactionService }: Cradle & { transactionService: TransactionService }) {
    this.database = database
    this.logger = logger
    this.transactions = transactionService
  }

  /**
   * Expires what is due, oldest first; `only` limits it to one merchant's sandbox and its clock. All at once, and one by
   * one when that fails: a session that cannot be ended must not keep the others open. Returns the number of those that
   * ended.
   */
  async run(limit: number, only?: Only): Promise<number> {
    try {
      return (await this.expire(limit, only)).length
    } catch (error) {
      const ids = await this.dueIds(limit, only)
      if (ids.length <= 1) {
        throw error
      }
      return this.each(ids, only)
    }
  }

  private async each(ids: readonly string[], only?: Only): Promise<number> {
    let ended = 0
    for (const id of ids) {
      try {
        ended += (await this.expire(1, only, id)).length
      } catch (error) {
        this.logger.error(`gateway: the payment ${id} could not be expired: ${(error as Error).message}`)
      }
    }
    return ended
  }

  private expire(limit: number, only?: Only, id?: string): Promise<PaymentRecord[]> {
    return this.database.transaction(async (sql) => {
      await limitLockWaits(sql)
      const due = await sql.query<PaymentRecord>(
        `SELECT ${PAYMENT_COLUMNS} FROM ${PAYMENT_TABLES} WHERE ${DUE} AND ($4::text IS NULL OR t.id = $4)
         ORDER BY t.expires_at LIMIT $1 FOR UPDATE OF t SKIP LOCKED`,
        [limit, only?.merchant_id ?? null, only?.until ?? null, id ?? null]
      )
      for (const record of due) {
        await this.transactions.apply(sql, record, "expire", record.expires_at)
      }
      return due
    })
  }

  private async dueIds(limit: number, only?: Only): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT t.id FROM ${PAYMENT_TABLES} WHERE ${DUE} ORDER BY t.expires_at LIMIT $1`,
      [limit, only?.merchant_id ?? null, only?.until ?? null]
    )
    return rows.map(({ id }) => id)
  }

  /** When the next unpaid session of a merchant's sandbox expires, on its own clock. */
  async nextDue(merchant_id: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `SELECT min(expires_at) AS at FROM gateway_transaction
       WHERE merchant_id = $1 AND environment = 'sandbox' AND state = 'OPEN'`,
      [merchant_id]
    )
    return row.at
  }
}
