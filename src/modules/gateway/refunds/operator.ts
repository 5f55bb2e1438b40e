import type { Logger } from "@medusajs/framework/types"
import { messageOf } from "../../../i18n/message"
import { actorOf, audit, type By } from "../kernel/database/audit"
import type { Database, Sql } from "../kernel/database/database"
import { fault, GatewayError, validationError } from "../kernel/errors"
import type { OperatorFinding, Cradle, Tenant } from "../kernel/types"
import type { Refused } from "../acquirers/port"
import { raiseAlarm } from "../payments/amount-mismatches"
import { answerOf, auditedFinding } from "../payments/operator-rules"
import type { TransactionService } from "../payments/transactions"
import { type Refund, holdRefund } from "./records"
import { recordAnswers } from "./record-answers"

const NOT_MOVED: Refused = {
  result: "refused",
  code: "REFUND_FAILED",
  message: "An admin has found at the acquirer that nothing was given back",
}

/**
 * Refunds of which the acquirer does not know what became (docs/decisions/03): somebody has looked at its dashboard,
 * and what was found counts as the acquirer's answer.
 */
export class RefundOperatorService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly transactions: TransactionService

  constructor({ database, logger, transactionService }: Cradle & { transactionService: TransactionService }) {
    this.database = database
    this.logger = logger
    this.transactions = transactionService
  }

  /**
   * Settles the refund as if the acquirer had answered so; another amount than requested leaves it open. Errors:
   * REFUND_NOT_FOUND, INVALID_STATE_TRANSITION (its outcome is known, or the acquirer may still report it),
   * VALIDATION_ERROR (the reference is another refund's).
   */
  async decide(decision: Tenant & By, id: string, finding: OperatorFinding): Promise<Refund> {
    const { refunds, alarms } = await this.database.transaction(async (sql) => {
      const { refund } = await holdRefund(sql, id, decision)
      if (refund.state !== "processing" || refund.operator_since === null) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.outcome_not_open"))
      }
      await requireOwnReference(sql, refund, finding)
      await note(sql, refund, decision, finding)
      const reviewed = { ...refund, reviewed_by: actorOf(decision).id, review_note: finding.note }
      const answer = answerOf(finding, refund.currency, NOT_MOVED)
      return recordAnswers(sql, this.transactions, refund.transaction_id, [{ refund: reviewed, answer, by: decision }])
    })
    alarms.forEach((alarm) => raiseAlarm(this.logger, alarm))
    return refunds[0]
  }

  /**
   * An admin has dealt with a refund that failed, so that it needs no attention any more; it moves nothing. Errors:
   * REFUND_NOT_FOUND, INVALID_STATE_TRANSITION (it has not failed, or was dealt with already).
   */
  async dealWith(by: Tenant & By, id: string, note: string): Promise<Refund> {
    return this.database.transaction(async (sql) => {
      const { refund } = await holdRefund(sql, id, by)
      if (refund.state !== "failed" || refund.dealt_with_at !== null) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.refund_not_failed"))
      }
      const dealt = { dealt_with_at: new Date(), dealt_with_by: actorOf(by).id, dealt_with_note: note }
      await sql.query(
        `UPDATE gateway_refund SET dealt_with_at = $2, dealt_with_by = $3, dealt_with_note = $4, updated_at = now()
         WHERE id = $1 AND state = 'failed' AND dealt_with_at IS NULL`,
        [id, dealt.dealt_with_at, dealt.dealt_with_by, note]
      )
      const { merchant_id, environment } = refund
      await audit(sql, {
        merchant_id,
        environment,
        by,
        action: "refund.dealt_with",
        resource_id: id,
        after: { note },
      })
      return { ...refund, ...dealt }
    })
  }
}

/** One refund at the acquirer is one of ours. */
async function requireOwnReference(sql: Sql, refund: Refund, finding: OperatorFinding): Promise<void> {
  const taken = finding.moved
    ? await sql.query(
        "SELECT 1 FROM gateway_refund WHERE transaction_id = $1 AND acquirer_reference = $2 AND id <> $3",
        [refund.transaction_id, finding.reference, refund.id]
      )
    : []
  if (taken.length > 0) {
    throw validationError([fault("reference", messageOf("rule.reference_taken"))])
  }
}

async function note(sql: Sql, refund: Refund, by: Tenant & By, finding: OperatorFinding): Promise<void> {
  const { id: resource_id, merchant_id, environment } = refund
  await sql.query("UPDATE gateway_refund SET reviewed_by = $2, review_note = $3, updated_at = now() WHERE id = $1", [
    resource_id,
    actorOf(by).id,
    finding.note,
  ])
  await audit(sql, {
    merchant_id,
    environment,
    by,
    action: "refund.decided_by_operator",
    resource_id,
    after: auditedFinding(finding),
  })
}
