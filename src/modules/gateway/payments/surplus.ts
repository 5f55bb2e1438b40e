import type { Logger } from "@medusajs/framework/types"
import { messageOf } from "../../../i18n/message"
import { audit } from "../kernel/database/audit"
import type { Database, Sql } from "../kernel/database/database"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { newRefundId } from "../kernel/text/ids"
import { DUE_WORK, DueWork } from "../kernel/database/due-work"
import { formatAmount, statedAmount } from "../kernel/money/money"
import type { OperatorFinding, Cradle, Tenant } from "../kernel/types"
import { INQUIRY_SECONDS } from "../kernel/money/retry-schedule"
import { post } from "../ledger/records"
import { surplusReceived, surplusReturned } from "../ledger/rules"
import { ATTEMPT_LIFE_MS, inTime } from "../acquirers/in-time"
import type { Done, ExtraPayment, References } from "../acquirers/port"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import { insertSurplus, noteReturn, noteUnreturned } from "./attempts"
import { merchantNow, type AttemptRecord, type PaymentRecord } from "./records"
import { surplusRequest } from "./requests"
import type { TransactionService } from "./transactions"

/**
 * After so many inquiries without an outcome an admin may decide, even if the adapter reports nothing: the account may
 * be gone (docs/decisions/03). The acquirer is asked all the same.
 */
const OPERATOR_INQUIRIES = 10

type Services = Cradle & WithAcquirers & { transactionService: TransactionService }
type DueSurplus = { attempt_id: string; asked: number }
type Surplus = { minor: number; return_key: string; return_ids: References; reference: string }

const SURPLUS = "surplus_minor AS minor, return_key, return_ids, acquirer_reference AS reference"

/** Gives back money that came for an attempt that was over, or that an admin does not take (decisions: Checkout). */
export class SurplusService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly acquirers: AcquirerRegistry
  private readonly transactions: TransactionService
  readonly due: DueWork<DueSurplus>

  constructor({ database, logger, acquirerRegistry, transactionService }: Services) {
    this.database = database
    this.logger = logger
    this.acquirers = acquirerRegistry
    this.transactions = transactionService
    this.due = new DueWork(logger, DUE_WORK.surplusReturn, {
      id: ({ attempt_id }) => attempt_id,
      claim: (limit) => this.claim(limit),
      work: ({ attempt_id }) => this.giveBack(attempt_id),
      failures: ({ asked }) => asked,
    })
  }

  /** The acquirer is asked first, because an earlier process may have died after it had asked for the refund. */
  private async giveBack(attempt_id: string): Promise<void> {
    const record = await this.transactions.ofAttempt(attempt_id)
    const surplus = await this.surplusOf(attempt_id)
    if (record === null || surplus === null) {
      return
    }
    const acquirer = await this.acquirers.byId(record, record.paid_with.acquirer)
    const save = (references: References) => noteReturn(this.database, surplus.return_key, references)
    const request = surplusRequest(this.database, record, surplus, save)
    const known = await inTime(() => acquirer.refundStatus(request))
    const answer = known.result === "absent" ? await inTime(() => acquirer.refund(request)) : known
    if (answer.result === "done") {
      await this.settle(record, attempt_id, surplus, answer)
      return
    }
    if (answer.result === "refused") {
      this.logger.error(
        `gateway: the acquirer does not give the money ${surplus.reference} of ${record.transaction_id} back, which the payment does not take (${answer.message}); refund it at the acquirer, then say so on the payment's page`
      )
      await noteUnreturned(this.database, surplus.return_key, merchantNow(record))
      return
    }
    await noteReturn(this.database, surplus.return_key, answer.references)
    if (answer.result === "unknown" && answer.needs_operator === true) {
      await noteUnreturned(this.database, surplus.return_key, merchantNow(record))
    }
  }

  /**
   * An acquirer says something about a surplus that counts as returned, by its key. One that has come back from the
   * shopper's bank is not sent again: where the money is to go, only people can find out.
   */
  async hinted(acquirer: string, owner: Tenant | null, key: string): Promise<void> {
    const [row] = await this.database.query<{ id: string } & Surplus>(
      `SELECT id, ${SURPLUS} FROM gateway_payment_attempt
       WHERE return_key = $1 AND state = 'RETURNED' AND surplus_minor IS NOT NULL AND acquirer_reference IS NOT NULL
         AND acquirer = $2 AND ($3::text IS NULL OR merchant_id = $3 AND environment = $4)`,
      [key, acquirer, owner?.merchant_id ?? null, owner?.environment ?? null]
    )
    const record = row === undefined ? null : await this.transactions.ofAttempt(row.id)
    if (record === null) {
      return
    }
    const request = surplusRequest(this.database, record, row, async () => undefined)
    const asked = await this.acquirers.byId(record, acquirer)
    const answer = await inTime(() => asked.refundStatus(request))
    if (answer.result === "refused") {
      this.logger.error(
        `gateway: the money ${row.reference} of ${record.transaction_id}, which counts as given back, has come back to the acquirer (${answer.message}); find out with the shopper where it is to go`
      )
    }
  }

  /**
   * Somebody has looked at the acquirer's dashboard, which alone shows whether the money went back: it counts as
   * returned, or is asked for again. Errors: INVALID_STATE_TRANSITION, VALIDATION_ERROR (another amount). `sql` holds
   * the transaction's lock.
   */
  async decide(sql: Sql, record: AttemptRecord, attempt_id: string, finding: OperatorFinding): Promise<void> {
    const surplus = await this.surplusOf(attempt_id, sql)
    if (surplus === null) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.outcome_not_open"))
    }
    if (!finding.moved) {
      await askAgain(sql, attempt_id, merchantNow(record))
      return
    }
    if (finding.amount !== BigInt(surplus.minor)) {
      const rule = messageOf("rule.amount_of_surplus", { amount: statedAmount(surplus.minor, record.currency) })
      throw validationError([fault("amount", rule)])
    }
    await this.returned(sql, record, attempt_id, surplus, finding.reference)
  }

  private async settle(record: AttemptRecord, attempt_id: string, surplus: Surplus, answer: Done): Promise<void> {
    const { currency } = record
    if (answer.amount !== BigInt(surplus.minor) || answer.currency !== currency) {
      throw new Error(`the acquirer gave ${answer.amount} ${answer.currency} back instead of ${surplus.minor}`)
    }
    await this.database.transaction(async (sql) => {
      await this.transactions.lockSession(sql, record.session_id)
      await this.returned(sql, record, attempt_id, surplus, answer.reference)
    })
  }

  /** `sql` holds the transaction's lock. Nothing changes when it has been returned before. */
  private async returned(
    sql: Sql,
    record: AttemptRecord,
    attempt_id: string,
    surplus: Surplus,
    reference: string
  ): Promise<void> {
    const { merchant_id, environment, transaction_id, currency } = record
    const rows = await sql.query(
      `UPDATE gateway_payment_attempt SET state = 'RETURNED', inquiry_at = NULL, updated_at = now()
       WHERE id = $1 AND state = 'SURPLUS' RETURNING id`,
      [attempt_id]
    )
    if (rows.length === 0) {
      return
    }
    await audit(sql, {
      merchant_id,
      environment,
      by: {},
      action: "payment.surplus_returned",
      resource_id: transaction_id,
      after: { attempt_id, amount: formatAmount(surplus.minor), currency, reference },
    })
    const posted = { ...record, attempt_id, surplus_minor: surplus.minor }
    await post(sql, [surplusReturned(posted, merchantNow(record))])
  }

  /** Null: nothing is to be given back any more. */
  private async surplusOf(attempt_id: string, sql: Sql = this.database): Promise<Surplus | null> {
    const [row] = await sql.query<Surplus>(
      `SELECT ${SURPLUS} FROM gateway_payment_attempt
       WHERE id = $1 AND state = 'SURPLUS'
         AND surplus_minor IS NOT NULL AND return_key IS NOT NULL AND acquirer_reference IS NOT NULL`,
      [attempt_id]
    )
    return row ?? null
  }

  private claim(limit: number): Promise<DueSurplus[]> {
    return this.database.query<DueSurplus>(
      `WITH due AS (
         SELECT a.id, now() + e.clock_offset_seconds * interval '1 second' AS asked_at
         FROM gateway_payment_attempt a
         JOIN gateway_merchant_environment e ON e.merchant_id = a.merchant_id AND e.environment = a.environment
         WHERE a.state = 'SURPLUS' AND a.inquiry_at <= now() + e.clock_offset_seconds * interval '1 second'
         ORDER BY a.inquiry_at LIMIT $1 FOR UPDATE OF a SKIP LOCKED)
       UPDATE gateway_payment_attempt a SET inquiry_count = a.inquiry_count + 1, updated_at = now(),
         operator_since = COALESCE(a.operator_since, CASE WHEN a.inquiry_count >= $3 THEN due.asked_at END),
         inquiry_at = due.asked_at + ($2::int[])[LEAST(a.inquiry_count + 1, cardinality($2::int[]))] * interval '1 second'
       FROM due WHERE a.id = due.id RETURNING a.id AS attempt_id, a.inquiry_count AS asked`,
      [limit, INQUIRY_SECONDS.seconds, OPERATOR_INQUIRIES]
    )
  }
}

/** Further payments that are given back: their sum in hundredths of the currency, and the acquirer's references. */
export type Extra = { minor: number; references: string[] }

/**
 * Keeps further payments of an attempt whose money has come, each as an attempt of its own. Answers those that were not
 * known before; undefined: none. `sql` holds the transaction's lock.
 */
export async function keepExtra(
  sql: Sql,
  record: PaymentRecord,
  extra: readonly ExtraPayment[] = []
): Promise<Extra | undefined> {
  const kept: Extra = { minor: 0, references: [] }
  for (const payment of extra) {
    const surplus = { minor: Number(payment.amount), return_key: newRefundId(), ...payment }
    const attempt_id = payment.currency === record.currency ? await insertSurplus(sql, record, surplus) : null
    if (attempt_id !== null) {
      await bookSurplus(sql, record, attempt_id, surplus)
      kept.minor += surplus.minor
      kept.references.push(surplus.reference)
    }
  }
  return kept.minor === 0 ? undefined : kept
}

/** Books money that the transaction does not take as the shopper's. `sql` holds the transaction's lock. */
export async function bookSurplus(
  sql: Sql,
  record: PaymentRecord,
  attempt_id: string,
  { minor, reference }: { minor: number; reference: string }
): Promise<void> {
  const { merchant_id, environment, transaction_id, currency } = record
  await audit(sql, {
    merchant_id,
    environment,
    by: {},
    action: "payment.surplus_received",
    resource_id: transaction_id,
    after: { attempt_id, amount: formatAmount(minor), currency, reference },
  })
  await post(sql, [surplusReceived({ ...record, attempt_id, surplus_minor: minor }, merchantNow(record))])
}

/**
 * Requests the return of a surplus again, because it has not gone back. The request gets a new key: an acquirer answers
 * a known key with the outcome of the earlier request. It is due only when a call under the old key must have ended.
 * `sql` holds the transaction's lock.
 */
async function askAgain(sql: Sql, attempt_id: string, at: Date): Promise<void> {
  await sql.query(
    `UPDATE gateway_payment_attempt SET return_key = $3, return_ids = '{}', operator_since = NULL, inquiry_at = $2,
       inquiry_count = 0, updated_at = now()
     WHERE id = $1 AND state = 'SURPLUS'`,
    [attempt_id, new Date(at.getTime() + ATTEMPT_LIFE_MS), newRefundId()]
  )
}
