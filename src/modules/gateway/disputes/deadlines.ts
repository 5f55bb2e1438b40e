import type { Logger } from "@medusajs/framework/types"
import { claimedBy, limitLockWaits, type Database } from "../kernel/database/database"
import { DUE_WORK, DueWork } from "../kernel/database/due-work"
import type { Cradle } from "../kernel/types"
import type { WithAcquirers } from "../acquirers/registry"
import { corrected, unchanged } from "./changes"
import { findDispute, holdDispute } from "./records"
import type { DisputeReportService } from "./reports"
import { awaitsResponse, REMINDER_DAYS } from "./rules"
import { writeChanges } from "./write-changes"

type Only = { merchant_id: string; until: Date }

const OPEN = "d.state IN ('inquiry', 'needs_response') AND d.submitted_at IS NULL AND d.due_by IS NOT NULL"
const NOW = "now() + e.clock_offset_seconds * interval '1 second'"
const REMINDED = `d.due_by - interval '${REMINDER_DAYS} days'`
const TABLES = `
  gateway_dispute d JOIN gateway_merchant_environment e ON e.merchant_id = d.merchant_id AND e.environment = d.environment`

/**
 * Follows the deadlines of disputes. It reminds the merchant before one, and marks a missed one, which decides nothing:
 * only the bank does. It asks acquirers that report disputes about open ones once a day, in case a notification was
 * lost.
 */
export class DisputeDeadlineService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly reports: DisputeReportService
  /** Disputes that their acquirer is to be asked about. */
  readonly inquiries: DueWork<{ id: string }>

  constructor(cradle: Cradle & WithAcquirers & { disputeReportService: DisputeReportService }) {
    this.database = cradle.database
    this.logger = cradle.logger
    this.reports = cradle.disputeReportService
    this.inquiries = this.inquiriesOf()
  }

  /**
   * Reminds and marks what is due by its merchant's clock. Returns the number of disputes. It is no DueWork: reminders
   * are one statement, each missed date is one transaction, and nothing happens outside the database that a lease would
   * have to protect.
   */
  async run(limit: number, only?: Only): Promise<number> {
    const values = [only?.merchant_id ?? null, only?.until ?? null, limit]
    const mine = "($1::text IS NULL OR d.merchant_id = $1 AND d.environment = 'sandbox')"
    const reminded = await this.database.query<{ id: string }>(
      `WITH due AS (
         SELECT d.id, ${NOW} AS now FROM ${TABLES}
         WHERE ${OPEN} AND ${mine} AND d.reminded_at IS NULL AND d.missed_at IS NULL AND ${REMINDED} <= LEAST(${NOW}, $2::timestamptz)
         ORDER BY d.due_by LIMIT $3 FOR UPDATE OF d SKIP LOCKED)
       UPDATE gateway_dispute SET reminded_at = due.now, notice = 'reminder', updated_at = now()
       FROM due WHERE gateway_dispute.id = due.id RETURNING gateway_dispute.id`,
      values
    )
    const missed = await this.database.query<{ id: string }>(
      `SELECT d.id FROM ${TABLES}
       WHERE ${OPEN} AND ${mine} AND d.missed_at IS NULL AND d.due_by <= LEAST(${NOW}, $2::timestamptz)
       ORDER BY d.due_by LIMIT $3`,
      values
    )
    return reminded.length + (await this.missAll(missed))
  }

  /** When something falls due in a merchant's sandbox; null: nothing will. */
  async nextDue(merchant_id: string): Promise<Date | null> {
    const [{ at }] = await this.database.query<{ at: Date | null }>(
      `SELECT min(CASE WHEN d.reminded_at IS NULL THEN ${REMINDED} ELSE d.due_by END) AS at FROM gateway_dispute d
       WHERE ${OPEN} AND d.merchant_id = $1 AND d.environment = 'sandbox' AND d.missed_at IS NULL`,
      [merchant_id]
    )
    return at
  }

  /** Each alone: one that cannot be marked must not hold up the others. Returns how many were looked at. */
  private async missAll(missed: readonly { id: string }[]): Promise<number> {
    let looked = 0
    for (const { id } of missed) {
      try {
        await this.miss(id)
        looked += 1
      } catch (error) {
        this.logger.error(`gateway: the missed date of dispute ${id} could not be marked: ${(error as Error).message}`)
      }
    }
    return looked
  }

  /** The deadline has passed without an answer. Answered or extended meanwhile: nothing is marked. */
  private miss(id: string): Promise<void> {
    return this.database.transaction(async (sql) => {
      await limitLockWaits(sql)
      const held = await holdDispute(sql, id)
      const { dispute, now } = held
      if (!awaitsResponse(dispute) || dispute.missed_at !== null || dispute.due_by === null || dispute.due_by > now) {
        return
      }
      const missed = corrected(unchanged(dispute), { missed_at: now }, "dispute.missed")
      await writeChanges(sql, held, { ...missed, notice: "missed" }, {})
    })
  }

  /** The claim moves an inquiry to the next day. */
  private inquiriesOf(): DueWork<{ id: string }> {
    return new DueWork<{ id: string }>(this.logger, DUE_WORK.disputeInquiry, {
      id: ({ id }) => id,
      claim: (limit) =>
        this.database.query<{ id: string }>(
          `UPDATE gateway_dispute SET inquiry_at = now() + interval '1 day'
           WHERE id ${claimedBy(`SELECT id FROM gateway_dispute WHERE inquiry_at <= now() ORDER BY inquiry_at LIMIT $1 FOR UPDATE SKIP LOCKED`)}
           RETURNING id`,
          [limit]
        ),
      work: async ({ id }) => {
        await this.reports.refresh(await findDispute(this.database, id), {})
      },
    })
  }
}
