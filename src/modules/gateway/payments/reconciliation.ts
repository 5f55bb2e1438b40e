import type { Logger } from "@medusajs/framework/types"
import { nextInquiryAt } from "../kernel/retry-schedule"
import type { Database } from "../kernel/database"
import type { Cradle } from "../kernel/types"
import { isDeclined } from "./card-testing-rules"
import type { CardTestingService } from "./card-testing"
import type { PaymentRecord } from "./records"
import type { PaymentService } from "./service"
import type { TransactionService } from "./transactions"

type Services = Cradle & {
  cardTestingService: CardTestingService
  paymentService: PaymentService
  transactionService: TransactionService
}

/** Settles payments whose outcome is unknown, by asking their acquirer again (design: six rules, 2). */
export class ReconciliationService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly cardTesting: CardTestingService
  private readonly payments: PaymentService
  private readonly transactions: TransactionService

  constructor(cradle: Services) {
    this.database = cradle.database
    this.logger = cradle.logger
    this.cardTesting = cradle.cardTestingService
    this.payments = cradle.paymentService
    this.transactions = cradle.transactionService
  }

  /**
   * Asks about what is due and answers how many were asked about. A row is claimed by moving its next inquiry,
   * so any number of processes may run this; `only` limits it to one merchant's sandbox and its clock.
   */
  async run(limit: number, only?: { merchant_id: string; until: Date }): Promise<number> {
    const claimed = await this.claim(limit, only)
    for (const session_id of claimed) {
      try {
        await this.ask(await this.transactions.bySession(session_id))
      } catch (error) {
        this.logger.error(`gateway: the payment of ${session_id} could not be reconciled: ${(error as Error).message}`)
      }
    }
    return claimed.length
  }

  /** A decline counts as a card that failed, although the shopper has not come back with it (docs/decisions/0037). */
  private async ask(open: PaymentRecord): Promise<void> {
    const { state, error_code } = await this.payments.inquire(open)
    if (open.visitor_network !== null && isDeclined({ status: state, error_code })) {
      await this.cardTesting.failed({ ...open, address: open.visitor_network }, null)
    }
  }

  /** When the next inquiry of a merchant's sandbox is due, by its own clock. */
  async nextDue(merchant_id: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `SELECT min(inquiry_at) AS at FROM gateway_transaction
       WHERE merchant_id = $1 AND environment = 'sandbox' AND state = 'PROCESSING'`,
      [merchant_id]
    )
    return row.at
  }

  private async claim(limit: number, only?: { merchant_id: string; until: Date }): Promise<string[]> {
    return this.database.transaction(async (sql) => {
      const due = await sql.query<{ id: string; session_id: string; asked: number; asked_at: Date }>(
        `SELECT t.id, t.session_id, t.inquiry_count AS asked,
                COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second') AS asked_at
         FROM gateway_transaction t
         JOIN gateway_merchant_environment e ON e.merchant_id = t.merchant_id AND e.environment = t.environment
         WHERE t.state = 'PROCESSING' AND ($2::text IS NULL OR t.merchant_id = $2 AND t.environment = 'sandbox')
           AND t.inquiry_at <= COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second')
         ORDER BY t.inquiry_at LIMIT $1 FOR UPDATE OF t SKIP LOCKED`,
        [limit, only?.merchant_id ?? null, only?.until ?? null]
      )
      for (const { id, asked, asked_at } of due) {
        await sql.query(
          `UPDATE gateway_transaction SET inquiry_at = $2, inquiry_count = inquiry_count + 1, updated_at = now()
           WHERE id = $1`,
          [id, nextInquiryAt(asked_at, asked + 1)]
        )
      }
      return due.map(({ session_id }) => session_id)
    })
  }
}
