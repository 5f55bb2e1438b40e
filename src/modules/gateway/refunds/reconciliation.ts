import { DUE_WORK, DueWork } from "../kernel/database/due-work"
import { INQUIRY_SECONDS } from "../kernel/money/retry-schedule"
import type { Database } from "../kernel/database/database"
import type { Cradle } from "../kernel/types"
import { requestOf } from "./records"
import type { RefundService } from "./service"

/** One merchant's sandbox, driven by its clock. */
type Sandbox = { merchant_id: string; until: Date }
/** `asked`: how often, this time included. */
type Inquiry = { id: string; asked: number; request_id: string | null }

/** After so many inquiries without an outcome (more than a week) somebody has to look at the acquirer's dashboard. */
const OPERATOR_INQUIRIES = 10

/**
 * Settles refunds that an acquirer has not finished, or whose outcome is unknown, by asking again (design: six rules,
 * 2).
 */
export class RefundReconciliationService {
  private readonly database: Database
  readonly due: DueWork<Inquiry, Sandbox>

  constructor({ database, logger, refundService: refunds }: Cradle & { refundService: RefundService }) {
    this.database = database
    this.due = new DueWork(logger, DUE_WORK.refundInquiry, {
      id: ({ id }) => id,
      request: ({ request_id }) => request_id,
      claim: (limit, _lease, only) => this.claim(limit, only),
      work: async ({ id }) => void (await refunds.inquire(id)),
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
      `SELECT min(inquiry_at) AS at FROM gateway_refund
       WHERE merchant_id = $1 AND environment = 'sandbox' AND state = 'processing'`,
      [merchant_id]
    )
    return row.at
  }

  private claim(limit: number, only?: Sandbox): Promise<Inquiry[]> {
    return this.database.query<Inquiry>(
      `WITH due AS (
         SELECT r.id, COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second') AS asked_at,
                r.inquiry_at AS due_at
         FROM gateway_refund r
         JOIN gateway_merchant_environment e ON e.merchant_id = r.merchant_id AND e.environment = r.environment
         WHERE r.state = 'processing' AND ($2::text IS NULL OR r.merchant_id = $2 AND r.environment = 'sandbox')
           AND r.inquiry_at <= COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second')
         ORDER BY r.inquiry_at LIMIT $1 FOR UPDATE OF r SKIP LOCKED),
       claimed AS (
         UPDATE gateway_refund r SET inquiry_count = r.inquiry_count + 1, updated_at = now(),
           operator_since = CASE WHEN r.operator_since IS NULL AND r.inquiry_count >= $5 THEN due.asked_at ELSE r.operator_since END,
           inquiry_at = due.asked_at + ($4::int[])[LEAST(r.inquiry_count + 2, cardinality($4::int[]))] * interval '1 second'
         FROM due WHERE r.id = due.id RETURNING r.id, r.inquiry_count AS asked, due.due_at)
       SELECT id, asked, ${requestOf("claimed.id")} AS request_id FROM claimed ORDER BY due_at`,
      [limit, only?.merchant_id ?? null, only?.until ?? null, INQUIRY_SECONDS.seconds, OPERATOR_INQUIRIES]
    )
  }
}
