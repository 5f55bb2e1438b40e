import type { Logger } from "@medusajs/framework/types"
import { nextInquiryAt } from "../kernel/retry-schedule"
import type { Database } from "../kernel/database"
import type { Cradle } from "../kernel/types"
import type { RefundService } from "./service"

/** Settles refunds that an acquirer has not finished, or whose outcome is unknown, by asking again (design: six rules, 2). */
export class RefundReconciliationService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly refunds: RefundService

  constructor(cradle: Cradle & { refundService: RefundService }) {
    this.database = cradle.database
    this.logger = cradle.logger
    this.refunds = cradle.refundService
  }

  /**
   * Asks about what is due and answers how many were asked about. A row is claimed by moving its next inquiry,
   * so any number of processes may run this; `only` limits it to one merchant's sandbox and its clock.
   */
  async run(limit: number, only?: { merchant_id: string; until: Date }): Promise<number> {
    const claimed = await this.claim(limit, only)
    for (const id of claimed) {
      try {
        await this.refunds.inquire(id)
      } catch (error) {
        this.logger.error(`gateway: the refund ${id} could not be reconciled: ${(error as Error).message}`)
      }
    }
    return claimed.length
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

  private async claim(limit: number, only?: { merchant_id: string; until: Date }): Promise<string[]> {
    return this.database.transaction(async (sql) => {
      const due = await sql.query<{ id: string; asked: number; asked_at: Date }>(
        `SELECT r.id, r.inquiry_count AS asked,
                COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second') AS asked_at
         FROM gateway_refund r
         JOIN gateway_merchant_environment e ON e.merchant_id = r.merchant_id AND e.environment = r.environment
         WHERE r.state = 'processing' AND ($2::text IS NULL OR r.merchant_id = $2 AND r.environment = 'sandbox')
           AND r.inquiry_at <= COALESCE($3::timestamptz, now() + e.clock_offset_seconds * interval '1 second')
         ORDER BY r.inquiry_at LIMIT $1 FOR UPDATE OF r SKIP LOCKED`,
        [limit, only?.merchant_id ?? null, only?.until ?? null]
      )
      for (const { id, asked, asked_at } of due) {
        await sql.query(
          "UPDATE gateway_refund SET inquiry_at = $2, inquiry_count = inquiry_count + 1, updated_at = now() WHERE id = $1",
          [id, nextInquiryAt(asked_at, asked + 1)]
        )
      }
      return due.map(({ id }) => id)
    })
  }
}
