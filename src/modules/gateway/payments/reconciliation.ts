import { DUE_WORK, DueWork } from "../kernel/database/due-work"
import { INQUIRY_SECONDS } from "../kernel/money/retry-schedule"
import type { Database } from "../kernel/database/database"
import type { Cradle } from "../kernel/types"
import { IS_OPEN } from "./attempt-states"
import type { InquiryService } from "./inquiries"
import type { TransactionService } from "./transactions"

type Services = Cradle & {
  inquiryService: InquiryService
  transactionService: TransactionService
}

/** One merchant's sandbox, driven by its clock. */
type Sandbox = { merchant_id: string; until: Date }
/** `asked`: how often, this time included. */
type Inquiry = { attempt_id: string; asked: number }

/**
 * An attempt that the shopper has left is watched for about a week. In all reports that we found, late money came
 * within hours (docs/decisions/01).
 */
const WATCHED_INQUIRIES = 9
/** One that has ended while its page stays open: after five minutes, an hour and a day. */
const ENDED_INQUIRIES = 3
/** After so many inquiries without an outcome (about a day) somebody has to look at the acquirer's dashboard. */
const OPERATOR_INQUIRIES = 3

const SLACK_SECONDS = 60

/**
 * How old an attempt is at its nth inquiry when it is asked about as planned, in seconds. A hint, or a shopper who
 * reloads the page, brings inquiries forward: neither may end the watch, or ask an admin, before its time. (In a
 * sandbox whose clock was moved, `started_at`, which is real time, lets an admin be asked sooner.)
 */
const ageAt = (inquiry: number): number =>
  Array.from({ length: inquiry }, (_, asked) => INQUIRY_SECONDS.after(asked)).reduce((sum, one) => sum + one, 0) -
  SLACK_SECONDS

/** Settles payments whose outcome is unknown, by asking their acquirer again (design: six rules, 2). */
export class ReconciliationService {
  private readonly database: Database
  private readonly inquiries: InquiryService
  readonly due: DueWork<Inquiry, Sandbox>

  constructor({ database, logger, inquiryService, transactionService: transactions }: Services) {
    this.database = database
    this.inquiries = inquiryService
    this.due = new DueWork(logger, DUE_WORK.paymentInquiry, {
      id: ({ attempt_id }) => attempt_id,
      claim: (limit, _lease, only) => this.claim(limit, only),
      work: async ({ attempt_id }) => {
        const record = await transactions.ofAttempt(attempt_id)
        if (record !== null) {
          await this.inquiries.inquireDue(record)
        }
      },
      failures: ({ asked }) => asked,
    })
  }

  /**
   * Asks about at most `most` that are due. Returns the number of them. `only` limits it to one merchant's sandbox
   * and its clock.
   */
  run(most: number, only?: Sandbox): Promise<number> {
    return this.due.run({ most, only, inOrder: only !== undefined })
  }

  /** When the next inquiry of a merchant's sandbox is due, by its own clock. */
  async nextDue(merchant_id: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `SELECT min(inquiry_at) AS at FROM gateway_payment_attempt
       WHERE merchant_id = $1 AND environment = 'sandbox' AND inquiry_at IS NOT NULL AND state <> 'SURPLUS'`,
      [merchant_id]
    )
    return row.at
  }

  /**
   * The claim moves the next inquiry; a shopper on the acquirer's page is asked about when the session's time is up.
   */
  private claim(limit: number, only?: Sandbox): Promise<Inquiry[]> {
    return this.database.query<Inquiry>(
      `WITH due AS (
         SELECT a.id, COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second') AS asked_at,
                a.inquiry_at AS due_at, t.expires_at
         FROM gateway_payment_attempt a
         JOIN gateway_transaction t ON t.id = a.transaction_id
         JOIN gateway_merchant_environment e ON e.merchant_id = a.merchant_id AND e.environment = a.environment
         WHERE a.inquiry_at IS NOT NULL AND a.state <> 'SURPLUS'
           AND ($2::text IS NULL OR a.merchant_id = $2 AND a.environment = 'sandbox')
           AND a.inquiry_at <= COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second')
         ORDER BY a.inquiry_at LIMIT $1 FOR UPDATE OF a SKIP LOCKED),
       next AS (
         SELECT a.id, due.due_at, due.asked_at, a.state = 'REDIRECTED' AND due.expires_at > due.asked_at AS may_expire, due.expires_at,
                EXTRACT(epoch FROM due.asked_at - COALESCE(a.finished_at, a.started_at)) AS age,
                due.asked_at + ($4::int[])[LEAST(a.inquiry_count + 2, cardinality($4::int[]))] * interval '1 second' AS at
         FROM due JOIN gateway_payment_attempt a ON a.id = due.id),
       claimed AS (
         UPDATE gateway_payment_attempt a SET inquiry_count = a.inquiry_count + 1, updated_at = now(),
           operator_since = CASE
             WHEN a.operator_since IS NULL AND a.inquiry_count >= $6 AND next.age >= $9 AND a.${IS_OPEN} THEN next.asked_at
             ELSE a.operator_since END,
           inquiry_at = CASE
             WHEN a.state = 'ABANDONED' AND a.inquiry_count + 1 >= $5 AND next.age >= $8 THEN NULL
             WHEN a.state IN ('SUCCEEDED', 'DECLINED') AND a.inquiry_count + 1 >= $7 AND next.age >= $10 THEN NULL
             WHEN next.may_expire THEN LEAST(next.at, next.expires_at)
             ELSE next.at END
         FROM next WHERE a.id = next.id RETURNING a.id AS attempt_id, a.inquiry_count AS asked, next.due_at)
       SELECT attempt_id, asked FROM claimed ORDER BY due_at`,
      [
        limit,
        only?.merchant_id ?? null,
        only?.until ?? null,
        INQUIRY_SECONDS.seconds,
        WATCHED_INQUIRIES,
        OPERATOR_INQUIRIES,
        ENDED_INQUIRIES,
        ageAt(WATCHED_INQUIRIES),
        ageAt(OPERATOR_INQUIRIES),
        ageAt(ENDED_INQUIRIES),
      ]
    )
  }
}
