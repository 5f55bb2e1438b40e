import { messageOf } from "../../../../i18n/message"
import { audit, type By } from "../../kernel/database/audit"
import type { Database, Sql } from "../../kernel/database/database"
import { fault, GatewayError, validationError } from "../../kernel/errors"
import { formatAmount, statedAmount } from "../../kernel/money/money"
import type { Cradle, OperatorFinding, Tenant } from "../../kernel/types"
import type { Refused } from "../../acquirers/port"
import { auditedFinding } from "../operator-rules"
import type { PaymentRecord } from "../records"
import type { TransactionService } from "../transactions"
import { authorizationById, authorizationOf, capturesOf, type Authorization, type Capture } from "./records"
import { lockPayment } from "./service"
import { completeCapture, failCapture } from "./settlement"
import { authorizationMachine } from "./states"

type Decision = Tenant & By

const NOT_MOVED: Refused = {
  result: "refused",
  code: "NETWORK_ERROR",
  message: "An admin has found at the acquirer that nothing was captured",
}

/**
 * Captures and releases of which the acquirer does not say what became (docs/decisions/03): somebody has looked at its
 * dashboard, and what was found counts as the acquirer's answer.
 */
export class CaptureOperatorService {
  private readonly database: Database
  private readonly transactions: TransactionService

  constructor({ database, transactionService }: Cradle & { transactionService: TransactionService }) {
    this.database = database
    this.transactions = transactionService
  }

  /**
   * Settles the capture or the release that `key` names. Errors: TRANSACTION_NOT_FOUND; INVALID_STATE_TRANSITION (its
   * outcome is known, or the acquirer may still report it); VALIDATION_ERROR (another amount than the capture's, another
   * capture's reference, or money that has moved although it was to be released).
   */
  async decide(
    decision: Decision,
    transaction_id: string,
    finding: OperatorFinding,
    key: string | undefined
  ): Promise<PaymentRecord> {
    return this.database.transaction(async (sql) => {
      const record = await lockPayment(sql, this.transactions, decision, transaction_id)
      const named = key === undefined ? null : await authorizationById(sql, key)
      const authorization =
        named?.transaction_id === transaction_id ? named : await authorizationOf(sql, transaction_id)
      const captures = await capturesOf(sql, transaction_id)
      const capture = captures.find(({ id }) => id === key)
      if (authorization !== null && isUnresolved(capture)) {
        requireFinding(captures, capture, finding)
        await note(sql, decision, record, { capture_id: capture.id, ...auditedFinding(finding) })
        return this.settle(sql, record, { authorization, capture }, finding, decision)
      }
      if (authorization === null || authorization.id !== key || !isUnreleased(authorization)) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.outcome_not_open"))
      }
      await this.released(sql, authorization, finding)
      const { amount_minor, captured_minor, currency } = authorization
      const released = { released: formatAmount(amount_minor - captured_minor), currency, note: finding.note }
      await note(sql, decision, record, released)
      return record
    })
  }

  private async settle(
    sql: Sql,
    record: PaymentRecord,
    captured: { authorization: Authorization; capture: Capture },
    finding: OperatorFinding,
    by: By
  ): Promise<PaymentRecord> {
    if (finding.moved) {
      const answer = { reference: finding.reference }
      return completeCapture(sql, this.transactions, record, { ...captured, answer, by })
    }
    await failCapture(sql, record, { ...captured, answer: NOT_MOVED, by })
    return record
  }

  private async released(sql: Sql, { id, state }: Authorization, finding: OperatorFinding): Promise<void> {
    if (finding.moved) {
      throw validationError([fault("moved", messageOf("rule.moved_after_void"))])
    }
    await sql.query(
      `UPDATE gateway_authorization SET state = $2, due_at = NULL, operator_since = NULL, updated_at = now()
       WHERE id = $1 AND state = 'releasing'`,
      [id, authorizationMachine.require(state, "released").to]
    )
  }
}

function isUnresolved(capture: Capture | undefined): capture is Capture {
  return capture?.state === "processing" && capture.operator_since !== null
}

function isUnreleased({ state, operator_since }: Authorization): boolean {
  return state === "releasing" && operator_since !== null
}

/** One capture at the acquirer is one of ours, and of its amount. */
function requireFinding(captures: readonly Capture[], capture: Capture, finding: OperatorFinding): void {
  if (!finding.moved) {
    return
  }
  if (finding.amount !== BigInt(capture.amount_minor)) {
    const amount = statedAmount(capture.amount_minor, capture.currency)
    throw validationError([fault("amount", messageOf("rule.amount_of_capture", { amount }))])
  }
  if (captures.some(({ id, acquirer_reference }) => id !== capture.id && acquirer_reference === finding.reference)) {
    throw validationError([fault("reference", messageOf("rule.reference_taken"))])
  }
}

async function note(
  sql: Sql,
  by: Decision,
  { merchant_id, environment, transaction_id: resource_id }: PaymentRecord,
  after: Record<string, unknown>
): Promise<void> {
  await audit(sql, { merchant_id, environment, by, action: "payment.decided_by_operator", resource_id, after })
}
