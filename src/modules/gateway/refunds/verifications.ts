import type { Database } from "../kernel/database"
import { DUE_WORK, DueWork, type RunOptions } from "../kernel/due-work"
import { GatewayError } from "../kernel/errors"
import type { Cradle, Tenant } from "../kernel/types"
import type { RefundService } from "./service"

type DueReturn = Tenant & { transaction_id: string }

/** One refund for each verification, however often it is tried. */
const REQUEST_KEY = "verification"

/**
 * Gives the money of verifications back in full, as an ordinary refund: with its ledger entries and events, and asked
 * about until its outcome is known (docs/decisions/0058).
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
    })
  }

  /** The verifications that are due, or only one of them; answers how many those were. */
  run(options: RunOptions<string> = {}): Promise<number> {
    return this.due.run(options)
  }

  private claim(limit: number, seconds: number, only?: string): Promise<DueReturn[]> {
    return this.database.query<DueReturn>(
      `WITH due AS (
         SELECT id FROM gateway_transaction WHERE return_due_at <= now() AND ($3::text IS NULL OR id = $3)
         ORDER BY return_due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       UPDATE gateway_transaction t SET return_due_at = now() + $2 * interval '1 second', updated_at = now()
       FROM due WHERE t.id = due.id RETURNING t.id AS transaction_id, t.merchant_id, t.environment`,
      [limit, seconds, only ?? null]
    )
  }

  private async giveBack({ transaction_id, ...tenant }: DueReturn): Promise<void> {
    try {
      await this.refunds.create({
        transaction_id,
        tenant,
        reason: "Verification of a payment method",
        requested_by: "gateway",
        request_key: REQUEST_KEY,
        may_overdraw: true,
      })
    } catch (error) {
      // Somebody else has given it back: a merchant by its API, or an admin.
      if (!GatewayError.is(error) || error.code !== "ALREADY_REFUNDED") {
        throw error
      }
    }
    await this.database.query("UPDATE gateway_transaction SET return_due_at = NULL, updated_at = now() WHERE id = $1", [
      transaction_id,
    ])
  }
}
