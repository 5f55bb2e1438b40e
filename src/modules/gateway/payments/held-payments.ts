import { messageOf } from "../../../i18n/message"
import { audit, type By } from "../kernel/database/audit"
import type { Database, Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { newRefundId } from "../kernel/text/ids"
import { nextInquiryAt } from "../kernel/money/retry-schedule"
import type { Cradle, Tenant } from "../kernel/types"
import { endOf, noteReview } from "./attempts"
import { merchantNow, type PaymentRecord } from "./records"
import { bookSurplus } from "./surplus"
import type { TransactionService } from "./transactions"

/** A payment whose money waits for an admin. */
type Held = PaymentRecord & { attempt_id: string; acquirer_reference: string }
type Decision = Tenant & By & { note: string | null }

/** For the record; the shopper's page has its own words for the code. */
const GIVEN_BACK = "The acquirer flagged the payment as risky, and an admin has given the money back"

/**
 * Payments that the acquirer flags as risky (docs/decisions/03): an admin accepts one, or gives its money back. Both
 * hold the transaction's lock and leave HELD, so of two admins one decides.
 */
export class HeldPaymentService {
  private readonly database: Database
  private readonly transactions: TransactionService

  constructor({ database, transactionService }: Cradle & { transactionService: TransactionService }) {
    this.database = database
    this.transactions = transactionService
  }

  /** The payment is SUCCESS, with everything that follows. Errors: TRANSACTION_NOT_FOUND, INVALID_STATE_TRANSITION. */
  async accept(decision: Decision, transaction_id: string): Promise<PaymentRecord> {
    return this.database.transaction(async (sql) => {
      const held = await this.lockHeld(sql, decision, transaction_id)
      const now = merchantNow(held)
      await this.note(sql, held, decision, "accepted")
      const { acquirer_reference, redirect_url } = held
      // The acquirer's page may still be open, and be paid again.
      const watch_from = redirect_url === null ? undefined : nextInquiryAt(now, 0)
      const end = endOf("HELD", "succeed", { acquirer_reference, watch_from })
      return this.transactions.apply(sql, held, "succeed", now, end)
    })
  }

  /**
   * The payment is FAILED, and its money goes back automatically, as money that came too late does. Errors:
   * TRANSACTION_NOT_FOUND, INVALID_STATE_TRANSITION.
   */
  async giveBack(decision: Decision, transaction_id: string): Promise<PaymentRecord> {
    return this.database.transaction(async (sql) => {
      const held = await this.lockHeld(sql, decision, transaction_id)
      const now = merchantNow(held)
      await this.note(sql, held, decision, "given_back")
      const { attempt_id, acquirer_reference, amount_minor: minor } = held
      const why = { error_code: "FRAUD_SUSPECTED", error_message: GIVEN_BACK }
      const surplus = { minor, return_key: newRefundId() }
      const end = endOf("HELD", "give_back", { ...why, acquirer_reference, surplus, watch_from: now })
      const ended = await this.transactions.apply(
        sql,
        { ...held, ...why, acquirer_reference: null },
        "decline",
        now,
        end
      )
      await bookSurplus(sql, ended, attempt_id, { minor, reference: acquirer_reference })
      return ended
    })
  }

  /**
   * An admin has seen what is flagged about a payment that succeeded: a risk, or instalments that differ from the plan.
   * A second time changes nothing. Errors: TRANSACTION_NOT_FOUND, INVALID_STATE_TRANSITION.
   */
  async seen(decision: Decision, transaction_id: string): Promise<void> {
    await this.database.transaction(async (sql) => {
      const record = await this.transactions.lockOwn(sql, decision, transaction_id)
      const [flagged] = await sql.query<{ reviewed_at: Date | null }>(
        `SELECT reviewed_at FROM gateway_payment_attempt
         WHERE id = $1 AND state = 'SUCCEEDED' AND (risk IS NOT NULL OR instalment_differences IS NOT NULL)`,
        [record.attempt_id]
      )
      if (flagged === undefined) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.payment_not_flagged"))
      }
      if (flagged.reviewed_at === null) {
        await this.note(sql, record, decision, "reviewed")
      }
    })
  }

  private async lockHeld(sql: Sql, tenant: Tenant, transaction_id: string): Promise<Held> {
    const record = await this.transactions.lockOwn(sql, tenant, transaction_id)
    const { state, attempt_id, acquirer_reference } = record
    if (state !== "HELD" || attempt_id === null || acquirer_reference === null) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.payment_not_held"))
    }
    return { ...record, attempt_id, acquirer_reference }
  }

  private async note(
    sql: Sql,
    record: PaymentRecord,
    { actor, note }: Decision,
    what: "accepted" | "given_back" | "reviewed"
  ): Promise<void> {
    const { merchant_id, environment, transaction_id: resource_id, attempt_id } = record
    await noteReview(sql, attempt_id ?? "", { by: { actor }, at: merchantNow(record), note })
    await audit(sql, {
      merchant_id,
      environment,
      by: { actor },
      action: `payment.${what}`,
      resource_id,
      after: { attempt_id, note },
    })
  }
}

/** A payment waits for an admin. `sql` is the transaction that holds it. */
export async function auditHold(sql: Sql, record: PaymentRecord, risk: string): Promise<void> {
  const { merchant_id, environment, transaction_id: resource_id, attempt_id, acquirer_reference } = record
  await audit(sql, {
    merchant_id,
    environment,
    by: {},
    action: "payment.held",
    resource_id,
    after: { attempt_id, reference: acquirer_reference, risk },
  })
}
