import { messageOf } from "../../../i18n/message"
import { audit, type By } from "../kernel/audit"
import type { Database, Sql } from "../kernel/database"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { formatAmount } from "../kernel/money"
import type { OperatorFinding } from "../kernel/operator-finding"
import type { Cradle, Tenant } from "../kernel/types"
import type { Done, Refused } from "./acquirers/port"
import { IS_OPEN, noteReview } from "./attempts"
import { merchantNow, type PaymentRecord } from "./records"
import type { SettlementService } from "./settlement"
import type { TransactionService } from "./transactions"

type Services = Cradle & { settlementService: SettlementService; transactionService: TransactionService }
type Decision = Tenant & By
/** The attempt whose outcome only the acquirer's portal can tell. */
type Unresolved = PaymentRecord & { attempt_id: string }

const NOT_MOVED: Refused = {
  result: "refused",
  code: "NETWORK_ERROR",
  message: "An admin has found at the acquirer that no money has moved",
}

/**
 * Payments of which the acquirer cannot tell what became (docs/decisions/0049): somebody has looked into its portal, and
 * what was found counts as the acquirer's answer.
 */
export class PaymentOperatorService {
  private readonly database: Database
  private readonly settlement: SettlementService
  private readonly transactions: TransactionService

  constructor({ database, settlementService, transactionService }: Services) {
    this.database = database
    this.settlement = settlementService
    this.transactions = transactionService
  }

  /**
   * Settles the payment as if the acquirer had answered so; another amount than requested leaves it open. Errors:
   * TRANSACTION_NOT_FOUND, INVALID_STATE_TRANSITION (its outcome is known, or the acquirer may still tell),
   * VALIDATION_ERROR (the reference is another payment's).
   */
  async decide(decision: Decision, transaction_id: string, finding: OperatorFinding): Promise<PaymentRecord> {
    const { attempt_id, currency } = await this.unresolved(this.database, decision, transaction_id)
    return this.settlement.settle(attempt_id, answerOf(finding, currency), async (sql) => {
      await this.transactions.lockOwn(sql, decision, transaction_id)
      const record = await this.unresolved(sql, decision, transaction_id)
      if (record.attempt_id !== attempt_id) {
        throw notUnresolved()
      }
      await requireOwnReference(sql, record, finding)
      await note(sql, record, decision, finding)
    })
  }

  private async unresolved(sql: Sql, tenant: Tenant, transaction_id: string): Promise<Unresolved> {
    const [row] = await sql.query<{ session_id: string; is_unresolved: boolean }>(
      `SELECT t.session_id, COALESCE(t.state = 'PROCESSING' AND a.operator_since IS NOT NULL AND a.${IS_OPEN}, false) AS is_unresolved
       FROM gateway_transaction t LEFT JOIN gateway_payment_attempt a ON a.id = t.attempt_id
       WHERE t.id = $1 AND t.merchant_id = $2 AND t.environment = $3`,
      [transaction_id, tenant.merchant_id, tenant.environment]
    )
    if (row === undefined) {
      throw new GatewayError("TRANSACTION_NOT_FOUND")
    }
    const record = row.is_unresolved ? await this.transactions.bySession(row.session_id, sql) : null
    if (record === null || record.attempt_id === null) {
      throw notUnresolved()
    }
    return { ...record, attempt_id: record.attempt_id }
  }
}

function notUnresolved(): GatewayError {
  return new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.outcome_not_open"))
}

function answerOf(finding: OperatorFinding, currency: string): Done | Refused {
  return finding.moved ? { result: "done", reference: finding.reference, amount: finding.amount, currency } : NOT_MOVED
}

/** One payment at the acquirer pays one attempt. */
async function requireOwnReference(sql: Sql, record: Unresolved, finding: OperatorFinding): Promise<void> {
  const taken = finding.moved
    ? await sql.query(
        "SELECT 1 FROM gateway_payment_attempt WHERE acquirer = $1 AND acquirer_reference = $2 AND id <> $3",
        [record.acquirer, finding.reference, record.attempt_id]
      )
    : []
  if (taken.length > 0) {
    throw validationError([fault("reference", messageOf("rule.reference_taken"))])
  }
}

async function note(sql: Sql, record: Unresolved, by: Decision, finding: OperatorFinding): Promise<void> {
  const { merchant_id, environment, transaction_id: resource_id, attempt_id } = record
  await noteReview(sql, attempt_id, { by, at: merchantNow(record), note: finding.note })
  await audit(sql, {
    merchant_id,
    environment,
    by,
    action: "payment.decided_by_operator",
    resource_id,
    after: { attempt_id, ...auditedFinding(finding) },
  })
}

/** For the audit log. */
export function auditedFinding(finding: OperatorFinding): Record<string, unknown> {
  const { moved, note } = finding
  return finding.moved
    ? { moved, reference: finding.reference, amount: formatAmount(finding.amount), note }
    : { moved, note }
}
