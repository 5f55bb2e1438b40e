import { DUE_WORK, DueWork } from "../kernel/due-work"
import { INQUIRY_SECONDS } from "../kernel/retry-schedule"
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

/** One merchant's sandbox, driven by its clock. */
type Sandbox = { merchant_id: string; until: Date }
/** `asked`: how often, this time included. */
type Inquiry = { session_id: string; asked: number }

/** Settles payments whose outcome is unknown, by asking their acquirer again (design: six rules, 2). */
export class ReconciliationService {
  private readonly database: Database
  private readonly cardTesting: CardTestingService
  private readonly payments: PaymentService
  readonly due: DueWork<Inquiry, Sandbox>

  constructor({ database, logger, cardTestingService, paymentService, transactionService: transactions }: Services) {
    this.database = database
    this.cardTesting = cardTestingService
    this.payments = paymentService
    this.due = new DueWork(logger, DUE_WORK.paymentInquiry, {
      id: ({ session_id }) => session_id,
      claim: (limit, _lease, only) => this.claim(limit, only),
      work: async ({ session_id }) => this.ask(await transactions.bySession(session_id)),
      failures: ({ asked }) => asked,
    })
  }

  /**
   * Asks about at most `most` that are due and answers how many those were; `only` limits it to one merchant's sandbox
   * and its clock.
   */
  run(most: number, only?: Sandbox): Promise<number> {
    return this.due.run({ most, only, inOrder: only !== undefined })
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

  private claim(limit: number, only?: Sandbox): Promise<Inquiry[]> {
    return this.database.query<Inquiry>(
      `WITH due AS (
         SELECT t.id, COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second') AS asked_at,
                t.inquiry_at AS due_at
         FROM gateway_transaction t
         JOIN gateway_merchant_environment e ON e.merchant_id = t.merchant_id AND e.environment = t.environment
         WHERE t.state = 'PROCESSING' AND ($2::text IS NULL OR t.merchant_id = $2 AND t.environment = 'sandbox')
           AND t.inquiry_at <= COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second')
         ORDER BY t.inquiry_at LIMIT $1 FOR UPDATE OF t SKIP LOCKED),
       claimed AS (
         UPDATE gateway_transaction t SET inquiry_count = t.inquiry_count + 1, updated_at = now(),
           inquiry_at = due.asked_at + ($4::int[])[LEAST(t.inquiry_count + 2, cardinality($4::int[]))] * interval '1 second'
         FROM due WHERE t.id = due.id RETURNING t.session_id, t.inquiry_count AS asked, due.due_at)
       SELECT session_id, asked FROM claimed ORDER BY due_at`,
      [limit, only?.merchant_id ?? null, only?.until ?? null, INQUIRY_SECONDS.seconds]
    )
  }
}
