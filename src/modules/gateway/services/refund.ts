import { randomBytes } from "node:crypto"
import { inTime } from "../acquirers/in-time"
import type { Absent, Done, Refused, Unknown } from "../acquirers/port"
import type { AcquirerRegistry } from "../acquirers/registry"
import { addSeconds } from "../domain/clock"
import { GatewayError } from "../domain/errors"
import { LIMITS } from "../domain/limits"
import { formatAmount, type Minor } from "../domain/money"
import { nextInquiryAt } from "../domain/retry-schedule"
import { refundMachine, type RefundState } from "../domain/state-machines/refund"
import type { Database, Sql } from "../database"
import { emit, type OutgoingEvent } from "../outbox"
import { ipnOf, merchantNow, type PaymentRecord } from "../records"
import type { Cradle } from "../types"
import type { TransactionService } from "./transaction"

export type Refund = {
  id: string
  transaction_id: string
  state: RefundState
  amount_minor: number
  reason: string
  acquirer_reference: string | null
  error_message: string | null
  request_key: string | null
  created_at: Date
  completed_at: Date | null
}

export type RefundRequest = {
  transaction_id: string
  /** Poisha; absent: all that remains. */
  amount?: Minor
  reason: string
  /** Who asked: `store`, `reconciler`, an admin's id, a key's id. */
  requested_by: string
  /** The same key for the same transaction answers the refund that exists. */
  request_key: string
}

const COLUMNS =
  "id, transaction_id, state, amount_minor, reason, acquirer_reference, error_message, request_key, created_at, completed_at"

/**
 * Giving money back: reserve (one transaction), call the acquirer, settle (one transaction). What is reserved is
 * counted in the transaction's `refunded_minor` under its lock, and a check constraint keeps that within the
 * amount whatever happens above it (decisions: Refunds).
 */
export class RefundService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly transactions: TransactionService

  constructor({ database, acquirerRegistry, transactionService }: Cradle & { transactionService: TransactionService }) {
    this.database = database
    this.acquirers = acquirerRegistry
    this.transactions = transactionService
  }

  /**
   * Errors: TRANSACTION_NOT_FOUND, REFUND_NOT_ALLOWED (no money was taken), ALREADY_REFUNDED, REFUND_EXCEEDED,
   * REFUND_WINDOW_EXPIRED. A refusal by the acquirer is an outcome: the refund's state is then `failed`.
   */
  async create(request: RefundRequest): Promise<Refund> {
    const record = await this.transactions.byId(request.transaction_id)
    const refund = await this.database.transaction((sql) => this.reserve(sql, record.session_id, request))
    return refund.state === "processing" ? this.settleWithAcquirer(record, refund) : refund
  }

  /**
   * Asks the acquirer what became of a refund in hand, and settles it when there is an answer. One it has never
   * heard of is asked for again: the refund's id is its key, so the money goes back once.
   */
  async inquire(id: string): Promise<Refund> {
    const [refund] = await this.database.query<Refund>(`SELECT ${COLUMNS} FROM gateway_refund WHERE id = $1`, [id])
    if (refund === undefined) {
      throw new GatewayError("REFUND_NOT_FOUND")
    }
    if (refund.state !== "processing") {
      return refund
    }
    const record = await this.transactions.byId(refund.transaction_id)
    const acquirer = this.acquirers.byId(record.environment, record.acquirer ?? "")
    const answer = await inTime(() => acquirer.refundStatus(id, merchantNow(record)))
    return answer.result === "absent" ? this.settleWithAcquirer(record, refund) : this.settle(record.session_id, id, answer)
  }

  /** Refunds of a transaction, oldest first. */
  async list(transaction_id: string): Promise<Refund[]> {
    return this.database.query<Refund>(
      `SELECT ${COLUMNS} FROM gateway_refund WHERE transaction_id = $1 ORDER BY created_at, id`,
      [transaction_id]
    )
  }

  /** A refund that is asked for again under another key goes by that key from now on; nobody may have renamed it meanwhile. */
  async rename(refund: Refund, request_key: string): Promise<void> {
    const renamed = await this.database.query(
      `UPDATE gateway_refund SET request_key = $3, updated_at = now()
       WHERE id = $1 AND request_key IS NOT DISTINCT FROM $2 RETURNING id`,
      [refund.id, refund.request_key, request_key]
    )
    if (renamed.length === 0) {
      throw new GatewayError("INVALID_STATE_TRANSITION", "The refund has been asked for again by someone else")
    }
  }

  private async reserve(sql: Sql, session_id: string, request: RefundRequest): Promise<Refund> {
    const record = await this.transactions.lockSession(sql, session_id)
    const [existing] = await sql.query<Refund>(
      `SELECT ${COLUMNS} FROM gateway_refund WHERE transaction_id = $1 AND request_key = $2`,
      [record.transaction_id, request.request_key]
    )
    if (existing !== undefined) {
      return existing
    }
    const amount = refundable(record, request.amount)
    const now = merchantNow(record)
    const [refund] = await sql.query<Refund>(
      `INSERT INTO gateway_refund
         (id, transaction_id, merchant_id, environment, state, amount_minor, currency, reason, requested_by,
          request_key, inquiry_at)
       VALUES ($1, $2, $3, $4, 'processing', $5, $6, $7, $8, $9, $10) RETURNING ${COLUMNS}`,
      [
        `rfd_${randomBytes(13).toString("hex")}`, record.transaction_id, record.merchant_id, record.environment,
        Number(amount), record.currency, request.reason, request.requested_by, request.request_key,
        nextInquiryAt(now, 0),
      ]
    )
    const reserved = { ...record, refunded_minor: record.refunded_minor + Number(amount) }
    await this.setRefunded(sql, reserved)
    await this.tell(sql, reserved, refund, ["refund.initiated", "refund.processing"], now)
    return refund
  }

  private async settleWithAcquirer(record: PaymentRecord, refund: Refund): Promise<Refund> {
    const acquirer = this.acquirers.byId(record.environment, record.acquirer ?? "")
    const answer = await inTime(() =>
      acquirer.refund({
        key: refund.id,
        payment_key: record.transaction_id,
        payment_reference: record.acquirer_reference ?? "",
        amount: BigInt(refund.amount_minor),
        currency: record.currency,
        now: merchantNow(record),
      })
    )
    return this.settle(record.session_id, refund.id, answer)
  }

  private async settle(session_id: string, id: string, answer: Done | Refused | Unknown | Absent): Promise<Refund> {
    return this.database.transaction(async (sql) => {
      const record = await this.transactions.lockSession(sql, session_id)
      const [refund] = await sql.query<Refund>(`SELECT ${COLUMNS} FROM gateway_refund WHERE id = $1`, [id])
      if (refund.state !== "processing" || answer.result === "absent") {
        return refund
      }
      if (answer.result === "unknown") {
        await sql.query("UPDATE gateway_refund SET inquiry_at = COALESCE($2, inquiry_at) WHERE id = $1", [id, answer.ask_again_at ?? null])
        return refund
      }
      const now = merchantNow(record)
      const done = answer.result === "done"
      const row = refundMachine.require(refund.state, done ? "complete" : "fail")
      const [settled] = await sql.query<Refund>(
        `UPDATE gateway_refund SET state = $2, acquirer_reference = $3, error_message = $4, completed_at = $5,
           inquiry_at = NULL, updated_at = now()
         WHERE id = $1 AND state = 'processing' RETURNING ${COLUMNS}`,
        [id, row.to, done ? answer.reference : null, done ? null : answer.message, done ? now : null]
      )
      const after = done ? record : { ...record, refunded_minor: record.refunded_minor - refund.amount_minor }
      const closed = done && (await this.closeWhenFullyRefunded(sql, record, now))
      if (!done) {
        await this.setRefunded(sql, after)
      }
      await this.tell(sql, after, settled, row.emits, now, closed ? ipnOf(after, "REFUNDED", now) : null)
      return settled
    })
  }

  private async closeWhenFullyRefunded(sql: Sql, record: PaymentRecord, now: Date): Promise<boolean> {
    const [{ completed }] = await sql.query<{ completed: number }>(
      `SELECT COALESCE(sum(amount_minor), 0)::int AS completed FROM gateway_refund
       WHERE transaction_id = $1 AND state = 'completed'`,
      [record.transaction_id]
    )
    if (completed !== record.amount_minor) {
      return false
    }
    await this.transactions.apply(sql, record, "refund_in_full", now)
    return true
  }

  private async setRefunded(sql: Sql, record: PaymentRecord): Promise<void> {
    await sql.query("UPDATE gateway_transaction SET refunded_minor = $2, updated_at = now() WHERE id = $1", [
      record.transaction_id,
      record.refunded_minor,
    ])
  }

  private async tell(
    sql: Sql,
    record: PaymentRecord,
    refund: Refund,
    eventTypes: readonly string[],
    occurred_at: Date,
    ipn: OutgoingEvent["ipn"] = null
  ): Promise<void> {
    const { merchant_id, environment } = record
    const data = {
      refund_id: refund.id,
      transaction_id: refund.transaction_id,
      refund_amount: formatAmount(refund.amount_minor),
      refund_status: refund.state,
      original_amount: formatAmount(record.amount_minor),
      remaining_amount: formatAmount(record.amount_minor - record.refunded_minor),
    }
    await emit(
      sql,
      eventTypes.map((event_type) => ({
        merchant_id,
        environment,
        event_type,
        resource_id: refund.id,
        data,
        occurred_at,
        ipn,
      }))
    )
  }
}

/** The amount to give back, in poisha, checked against what is left. */
function refundable(record: PaymentRecord, wanted: Minor | undefined): Minor {
  const remaining = BigInt(record.amount_minor - record.refunded_minor)
  if (record.state === "REFUNDED" || (record.state === "SUCCESS" && remaining === 0n)) {
    throw new GatewayError("ALREADY_REFUNDED")
  }
  if (record.state !== "SUCCESS" || record.verified_at === null) {
    throw new GatewayError("REFUND_NOT_ALLOWED", "Only a payment that succeeded can be refunded")
  }
  if (merchantNow(record) > addSeconds(record.verified_at, LIMITS.refundWindowDays * 86_400)) {
    throw new GatewayError("REFUND_WINDOW_EXPIRED")
  }
  const amount = wanted ?? remaining
  if (amount > remaining) {
    throw new GatewayError("REFUND_EXCEEDED", `At most ${formatAmount(remaining)} is left to refund`)
  }
  return amount
}
