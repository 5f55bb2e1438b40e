import { messageOf } from "../../../i18n/message"
import { audit, type By } from "../kernel/database/audit"
import type { Database, Sql } from "../kernel/database/database"
import { fault, GatewayError, validationError } from "../kernel/errors"
import type { OperatorFinding, Cradle, Tenant } from "../kernel/types"
import type { Refused } from "../acquirers/port"
import type { AttemptState } from "./attempt-states"
import { noteReview } from "./attempts"
import { answerOf, auditedFinding } from "./operator-rules"
import { merchantNow, type PaymentRecord } from "./records"
import type { SettlementService } from "./settlement"
import type { SurplusService } from "./surplus"
import type { TransactionService } from "./transactions"

type Services = Cradle & {
  settlementService: SettlementService
  surplusService: SurplusService
  transactionService: TransactionService
}
type Decision = Tenant & By
type Found = Tenant & {
  attempt_id: string | null
  state: AttemptState | null
  acquirer: string | null
  transaction_id: string
  currency: string
  clock_offset_seconds: number
}
/** What only the acquirer's dashboard shows: an open attempt's outcome, or whether a surplus went back. */
type Unresolved = Found & { attempt_id: string; state: AttemptState; acquirer: string }

const NOT_MOVED: Refused = {
  result: "refused",
  code: "NETWORK_ERROR",
  message: "An admin has found at the acquirer that no money has moved",
}

/**
 * Payments of which the acquirer does not know what became (docs/decisions/03): somebody has looked at its dashboard,
 * and what was found counts as the acquirer's answer.
 */
export class PaymentOperatorService {
  private readonly database: Database
  private readonly settlement: SettlementService
  private readonly surplus: SurplusService
  private readonly transactions: TransactionService

  constructor({ database, settlementService, surplusService, transactionService }: Services) {
    this.database = database
    this.settlement = settlementService
    this.surplus = surplusService
    this.transactions = transactionService
  }

  /**
   * Settles what is unresolved of the payment as if the acquirer had answered so: its open attempt, where another
   * amount than requested leaves it open, or else the oldest money that is given back. `key` names what the admin has
   * looked up. Errors: TRANSACTION_NOT_FOUND, INVALID_STATE_TRANSITION (its outcome is known, or the acquirer may still
   * report it), VALIDATION_ERROR (the reference is another payment's, or the amount is not that of the surplus).
   */
  async decide(
    decision: Decision,
    transaction_id: string,
    finding: OperatorFinding,
    key?: string
  ): Promise<PaymentRecord> {
    const { attempt_id, state, currency } = await this.unresolved(this.database, decision, transaction_id)
    const locked = async (sql: Sql): Promise<Unresolved> => {
      await this.transactions.lockOwn(sql, decision, transaction_id)
      const now = await this.unresolved(sql, decision, transaction_id)
      if (now.attempt_id !== attempt_id || now.state !== state || (key ?? attempt_id) !== attempt_id) {
        throw notUnresolved()
      }
      return now
    }
    if (state === "SURPLUS") {
      return this.database.transaction(async (sql) => this.decideReturn(sql, await locked(sql), decision, finding))
    }
    return this.settlement.settle(attempt_id, answerOf(finding, currency, NOT_MOVED), async (sql) => {
      const found = await locked(sql)
      await requireOwnReference(sql, found, finding)
      await note(sql, found, decision, finding)
    })
  }

  private async decideReturn(
    sql: Sql,
    found: Unresolved,
    decision: Decision,
    finding: OperatorFinding
  ): Promise<PaymentRecord> {
    const record = await this.transactions.ofAttempt(found.attempt_id, sql)
    if (record === null) {
      throw notUnresolved()
    }
    await note(sql, found, decision, finding)
    await this.surplus.decide(sql, record, found.attempt_id, finding)
    return this.transactions.bySession(record.session_id, sql)
  }

  private async unresolved(sql: Sql, tenant: Tenant, transaction_id: string): Promise<Unresolved> {
    const [found] = await sql.query<Found>(
      `SELECT a.id AS attempt_id, a.state, a.acquirer, t.currency, t.id AS transaction_id, t.merchant_id, t.environment,
              e.clock_offset_seconds
       FROM gateway_transaction t
       JOIN gateway_merchant_environment e ON e.merchant_id = t.merchant_id AND e.environment = t.environment
       LEFT JOIN gateway_payment_attempt a ON a.transaction_id = t.id AND a.operator_since IS NOT NULL
         AND a.state IN ('STARTED', 'REDIRECTED', 'CONFIRMING', 'SURPLUS')
         AND (a.state = 'SURPLUS' OR t.state = 'PROCESSING' AND a.id = t.attempt_id)
       WHERE t.id = $1 AND t.merchant_id = $2 AND t.environment = $3
       ORDER BY a.state = 'SURPLUS', a.number LIMIT 1`,
      [transaction_id, tenant.merchant_id, tenant.environment]
    )
    if (found === undefined) {
      throw new GatewayError("TRANSACTION_NOT_FOUND")
    }
    const { attempt_id, state, acquirer } = found
    if (attempt_id === null || state === null || acquirer === null) {
      throw notUnresolved()
    }
    return { ...found, attempt_id, state, acquirer }
  }
}

function notUnresolved(): GatewayError {
  return new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.outcome_not_open"))
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
