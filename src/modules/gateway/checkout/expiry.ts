import type { Database } from "../kernel/database"
import type { Cradle } from "../kernel/types"
import { PAYMENT_COLUMNS, PAYMENT_TABLES, type PaymentRecord } from "../payments/records"
import type { TransactionService } from "../payments/transactions"

/** Ends the sessions that nobody has paid in time. */
export class SessionExpiryService {
  private readonly database: Database
  private readonly transactions: TransactionService

  constructor({ database, transactionService }: Cradle & { transactionService: TransactionService }) {
    this.database = database
    this.transactions = transactionService
  }

  /** Expires what is due, oldest first; `only` limits it to one merchant's sandbox and its clock. */
  async run(limit: number, only?: { merchant_id: string; until: Date }): Promise<number> {
    return this.database.transaction(async (sql) => {
      const due = await sql.query<PaymentRecord>(
        `SELECT ${PAYMENT_COLUMNS} FROM ${PAYMENT_TABLES}
         WHERE t.state = 'OPEN' AND ($2::text IS NULL OR t.merchant_id = $2 AND t.environment = 'sandbox')
           AND t.expires_at <= COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second')
         ORDER BY t.expires_at LIMIT $1 FOR UPDATE OF t SKIP LOCKED`,
        [limit, only?.merchant_id ?? null, only?.until ?? null]
      )
      for (const record of due) {
        await this.transactions.apply(sql, record, "expire", record.expires_at)
      }
      return due.length
    })
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
