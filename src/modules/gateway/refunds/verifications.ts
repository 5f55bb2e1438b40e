import type { Database } from "../kernel/database/database"
import { DUE_WORK, DueWork, type RunOptions } from "../kernel/database/due-work"
import { GatewayError } from "../kernel/errors"
import type { Cradle, Tenant } from "../kernel/types"
import type { RefundService } from "./service"
import type { OwnReason } from "./rules"

type DueReturn = Tenant & { transaction_id: string; failures: number }

/** One refund for each verification, and another only when the last one has failed. */
const keyOf = (failures: number): string => (failures === 0 ? "verification" : `verification-${failures}`)

/** How long a refund that is under way is left before it is checked again: it may still fail. */
const RECHECK_SECONDS = 3_600

/**
 * Gives the money of verifications back in full, as an ordinary refund: with its ledger entries and events, and asked
 * about until its outcome is known. One that fails is tried again for days (docs/decisions/18).
 */
export class VerificationReturnService {
  private readonly database: Database
  private readonly refunds: RefundService
  readonly due: DueWork<DueReturn, string>

  constructor({ database, logger, refundService }: Cradle & { refundService: RefundService }) {
    this.database = database
    this.refunds = refundService
    this.due = new DueWork(logger, DUE_WORK.verificationReturn, {
      id: ({ transaction_id }) => transaction_id,
      claim: (limit, { seconds }, only) => this.claim(limit, seconds, only),
      work: (item) => this.giveBack(item),
      failures: ({ failures }) => failures,
      failed: ({ transaction_id }, { retry_seconds }) => this.postpone(transaction_id, retry_seconds, 1),
    })
  }

  /** Gives back the verifications that are due, or only one of them. Returns the number of them. */
  run(options: RunOptions<string> = {}): Promise<number> {
    return this.due.run(options)
  }

  private claim(limit: number, seconds: number, only?: string): Promise<DueReturn[]> {
    return this.database.query<DueReturn>(
      `WITH due AS (
         SELECT id FROM gateway_transaction WHERE return_due_at <= now() AND ($3::text IS NULL OR id = $3)
         ORDER BY return_due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       UPDATE gateway_transaction t SET return_due_at = now() + $2 * interval '1 second', updated_at = now()
       FROM due WHERE t.id = due.id RETURNING t.id AS transaction_id, t.merchant_id, t.environment, t.return_count AS failures`,
      [limit, seconds, only ?? null]
    )
  }

  private async giveBack({ transaction_id, failures, ...tenant }: DueReturn): Promise<void> {
    try {
      const { state, error_message } = await this.refunds.create({
        transaction_id,
        tenant,
        reason: "method_verified" satisfies OwnReason,
        requested_by: "gateway",
        request_key: keyOf(failures),
        may_overdraw: true,
      })
      if (state === "failed") {
        throw new Error(error_message ?? "the acquirer refuses the refund")
      }
      await this.postpone(transaction_id, state === "completed" ? null : RECHECK_SECONDS)
    } catch (error) {
      // Somebody else has given it back: a merchant by its API, or an admin.
      if (!GatewayError.is(error) || error.code !== "ALREADY_REFUNDED") {
        throw error
      }
      await this.postpone(transaction_id, null)
    }
  }

  /** `seconds` null: nothing is due any more. */
  private async postpone(transaction_id: string, seconds: number | null, failed: 0 | 1 = 0): Promise<void> {
    await this.database.query(
      `UPDATE gateway_transaction SET return_due_at = now() + $2 * interval '1 second', return_count = return_count + $3,
         updated_at = now() WHERE id = $1`,
      [transaction_id, seconds, failed]
    )
  }
}
