import { attemptEndValues, type AttemptEnd } from "./attempts"
import { GatewayError } from "../kernel/errors"
import { SESSION_ID, TRANSACTION_ID } from "../kernel/text/ids"
import { paymentPosting } from "../ledger/rules"
import { CAPTURABLE_MINOR } from "./captures/states"
import { publicStatus, transactionMachine, type TransactionState, type TransactionTrigger } from "./states"
import { json, type Database, type Sql } from "../kernel/database/database"
import { post } from "../ledger/records"
import { emit } from "../kernel/database/outbox"
import { attemptOf, WRITE, writeWith, type Written } from "./transaction-writes"
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_TABLES,
  ipnOf,
  PAYMENT_COLUMNS,
  PAYMENT_TABLES,
  paymentEventData,
  returnUrl,
} from "./records"
import type { AttemptRecord, PaymentRecord, VerifiedRow } from "./records"
import type { Caller, Cradle, Tenant } from "../kernel/types"
import type { ApiKeyService } from "../merchants/api-keys"
import { callerQuery } from "../merchants/records"
import type { InstrumentService } from "../saved-methods/instruments"
import { queueReceipts } from "./receipt-rows"
import { noteStoreWork } from "./store-work"
import type { SubscriptionPaymentService } from "../subscriptions/payments"

const VERIFY = {
  name: "gateway_verify",
  text: callerQuery(
    `, t.id AS transaction_id, t.order_id, t.state, t.currency, t.amount_minor, t.charge_minor, t.payment_service,
     t.acquirer_reference, t.error_code, t.error_message, t.expires_at, t.verified_at, s.customer, to_jsonb(p) AS emi,
     t.authorized_minor, CASE WHEN t.authorized_minor IS NOT NULL THEN (SELECT z.capture_before FROM gateway_authorization z WHERE z.id = t.attempt_id) END AS capture_before,
     CASE WHEN t.authorized_minor IS NOT NULL THEN (SELECT ${CAPTURABLE_MINOR} FROM gateway_authorization z WHERE z.id = t.attempt_id) END AS capturable_minor`,
    `LEFT JOIN gateway_transaction t ON t.id = $4 AND t.merchant_id = k.merchant_id AND t.environment = k.environment
     LEFT JOIN gateway_checkout_session s ON s.id = t.session_id
     LEFT JOIN gateway_emi_plan p ON p.attempt_id = t.attempt_id AND t.state <> 'OPEN'`
  ),
}

/** States in which the acquirer has the shopper's money, or has it reserved; it has its fee then. */
const MONEY_TAKEN: readonly TransactionState[] = ["HELD", "AUTHORIZED", "SUCCESS", "REFUNDED"]
/** States in which nobody knows yet how the payment ends. */
const UNFINISHED: readonly TransactionState[] = ["OPEN", "PROCESSING", "HELD", "AUTHORIZED"]

/** The payment of a cart, and where its shop shows it. */
export type CartPaid = { order_number: string; url: string }

/** The caller and the transaction to verify, which may be shown once the caller is admitted. */
type VerifyingCaller = Caller & { transaction: VerifiedRow | null }

type Services = Cradle & {
  apiKeyService: ApiKeyService
  instrumentService: InstrumentService
  subscriptionPaymentService: SubscriptionPaymentService
}

/** Reads transactions and moves them along their state machine; every write is guarded by the state it leaves. */
export class TransactionService {
  private readonly database: Database
  private readonly apiKeys: ApiKeyService
  private readonly instruments: InstrumentService
  private readonly subscriptionPayments: SubscriptionPaymentService

  constructor({ database, apiKeyService, instrumentService, subscriptionPaymentService }: Services) {
    this.database = database
    this.instruments = instrumentService
    this.apiKeys = apiKeyService
    this.subscriptionPayments = subscriptionPaymentService
  }

  /**
   * The key's caller and, for verification (contract 4.3), the transaction. It is null when the caller has none with
   * this id: another merchant's or environment's id gets the answer of one that does not exist. Null when the key is invalid.
   */
  async verify(keyHash: string, real: Date, transaction_id: string): Promise<VerifyingCaller | null> {
    const id = TRANSACTION_ID.test(transaction_id) ? transaction_id : null
    const row = await this.apiKeys.authenticate<VerifiedRow | { transaction_id: null }>(keyHash, real, VERIFY, [id])
    return row === null ? null : { ...row, transaction: row.transaction_id === null ? null : row }
  }

  async bySession(session_id: string, sql: Sql = this.database): Promise<PaymentRecord> {
    return this.one(sql, session_id)
  }

  /** The current checkout of a Medusa payment session. Null when it has none, or the sandbox has purged it. */
  async ofPaymentSession(payment_session_id: string): Promise<PaymentRecord | null> {
    const [record] = await this.database.query<PaymentRecord>(
      `SELECT ${PAYMENT_COLUMNS} FROM ${PAYMENT_TABLES} WHERE s.payment_session_id = $1 ORDER BY s.created_at DESC LIMIT 1`,
      [payment_session_id]
    )
    return record ?? null
  }

  /** The payment that a cart has been paid with, unless its money goes back; null: none. */
  async paidForCart(cart_id: string | null): Promise<CartPaid | null> {
    const [paid] = await this.database.query<PaymentRecord>(
      `SELECT ${PAYMENT_COLUMNS} FROM ${PAYMENT_TABLES} JOIN gateway_cart_completion c ON c.transaction_id = t.id
       WHERE c.cart_id = $1 AND c.state NOT IN ('giving_back', 'given_back') ORDER BY c.created_at LIMIT 1`,
      [cart_id]
    )
    return paid === undefined ? null : { order_number: paid.order_number, url: returnUrl(paid, "SUCCESS") }
  }

  async byId(transaction_id: string): Promise<PaymentRecord> {
    const [record] = await this.database.query<PaymentRecord>(
      `SELECT ${PAYMENT_COLUMNS} FROM ${PAYMENT_TABLES} WHERE t.id = $1`,
      [transaction_id]
    )
    if (record === undefined) {
      throw new GatewayError("TRANSACTION_NOT_FOUND")
    }
    return record
  }

  /** The payment as paid with one of its attempts; null: there is no such attempt. */
  async ofAttempt(attempt_id: string, sql: Sql = this.database, lock = ""): Promise<AttemptRecord | null> {
    const [record] = await sql.query<AttemptRecord>(
      `SELECT ${ATTEMPT_COLUMNS} FROM ${ATTEMPT_TABLES} WHERE a.id = $1 ${lock}`,
      [attempt_id]
    )
    return record === undefined ? null : { ...record, ...record.paid_with }
  }

  /** The same, locked until the transaction of `sql` ends and read again: a wait for the lock may have made it old. */
  async lockAttempt(sql: Sql, attempt_id: string): Promise<AttemptRecord | null> {
    const stale = await this.ofAttempt(attempt_id, sql, "FOR UPDATE OF t")
    return stale && this.ofAttempt(attempt_id, sql)
  }

  /**
   * A tenant's payment, locked until the transaction of `sql` ends, with its latest attempt as it is then. Throws
   * TRANSACTION_NOT_FOUND, for another tenant's too.
   */
  async lockOwn(sql: Sql, { merchant_id, environment }: Tenant, transaction_id: string): Promise<PaymentRecord> {
    const [own] = await sql.query<{ session_id: string }>(
      `SELECT session_id FROM gateway_transaction
       WHERE id = $1 AND merchant_id = $2 AND environment = $3 FOR UPDATE`,
      [transaction_id, merchant_id, environment]
    )
    if (own === undefined) {
      throw new GatewayError("TRANSACTION_NOT_FOUND")
    }
    return this.one(sql, own.session_id)
  }

  /** The row, locked until the transaction of `sql` ends. */
  async lockSession(sql: Sql, session_id: string): Promise<PaymentRecord> {
    return this.one(sql, session_id, "FOR UPDATE OF t")
  }

  /**
   * Applies one row of the state machine: the guarded write, the end of its attempt, events, cart or subscription, the
   * ledger. `sql` holds the transaction's lock. A capture is posted by its caller.
   */
  async apply(
    sql: Sql,
    record: PaymentRecord,
    on: TransactionTrigger,
    at: Date,
    attempt?: AttemptEnd
  ): Promise<PaymentRecord & Written> {
    const row = transactionMachine.require(record.state, on)
    const succeeded = on === "succeed"
    const isReserved = on === "authorize"
    const isOver = !UNFINISHED.includes(row.to)
    const next: PaymentRecord = {
      ...record,
      state: row.to,
      finished_at: isOver ? (record.finished_at ?? at) : null,
      verified_at: succeeded || on === "capture" ? (record.verified_at ?? at) : record.verified_at,
      authorized_minor: isReserved ? record.amount_minor : record.authorized_minor,
      charge_minor: MONEY_TAKEN.includes(row.to) ? record.charge_minor : 0,
      // A refunded payment starts nothing that would be charged later.
      kept_instrument: MONEY_TAKEN.includes(row.to) && row.to !== "REFUNDED" ? record.kept_instrument : null,
      ...(attempt === undefined ? {} : attemptOf(attempt)),
    }
    const { emi_cost_minor } = await this.write(sql, record, next, at, attempt)
    await this.emitEvents(sql, next, row.emits, at)
    if ((isOver || isReserved) && record.state !== "AUTHORIZED" && record.verified_at === null) {
      await noteStoreWork(sql, next, at)
    }
    await this.subscriptionPayments.ended(sql, next, on, at)
    if (succeeded || isReserved) {
      await this.instruments.save(sql, next, at)
    }
    if (succeeded) {
      if (next.sends_receipts) {
        await queueReceipts(sql, [{ ...next, refund_id: null, at }])
      }
      await post(sql, [paymentPosting({ ...next, emi_cost_minor }, at)])
    }
    return { ...next, emi_cost_minor }
  }

  /** Throws INVALID_STATE_TRANSITION when the transaction, or its attempt, is no longer what `record` says. */
  private async write(
    sql: Sql,
    record: PaymentRecord,
    next: PaymentRecord,
    at: Date,
    attempt?: AttemptEnd
  ): Promise<Written> {
    const values = [
      next.transaction_id,
      record.state,
      next.state,
      next.finished_at,
      next.verified_at,
      next.charge_minor,
      next.acquirer_reference,
      json(next.instrument),
      next.error_code,
      next.error_message,
      json(next.kept_instrument),
      next.acquirer,
      next.payment_method,
      next.payment_service,
      next.attempt_id,
      next.amount_minor,
      next.authorized_minor,
    ]
    const [written] =
      attempt === undefined || record.attempt_id === null
        ? await sql.query<Written>(WRITE, values)
        : await sql.query<Written>(
            writeWith(attempt).text,
            [...values, ...attemptEndValues(record.attempt_id, attempt, at)],
            writeWith(attempt).name
          )
    if (written === undefined) {
      throw new GatewayError("INVALID_STATE_TRANSITION")
    }
    return written
  }

  private async emitEvents(sql: Sql, record: PaymentRecord, eventTypes: readonly string[], at: Date): Promise<void> {
    const { merchant_id, environment, transaction_id: resource_id } = record
    const status = publicStatus(record.state, record.expires_at, at)
    const data = paymentEventData(record, status)
    const ipn = ipnOf(record, status, at)
    await emit(
      sql,
      eventTypes.map((event_type) => ({
        merchant_id,
        environment,
        event_type,
        resource_id,
        data,
        occurred_at: at,
        ipn,
      }))
    )
  }

  private async one(sql: Sql, session_id: string, lock = ""): Promise<PaymentRecord> {
    const rows = SESSION_ID.test(session_id)
      ? await sql.query<PaymentRecord>(
          `SELECT ${PAYMENT_COLUMNS} FROM ${PAYMENT_TABLES} WHERE t.session_id = $1 ${lock}`,
          [session_id]
        )
      : []
    if (rows.length === 0) {
      throw new GatewayError("SESSION_NOT_FOUND")
    }
    return rows[0]
  }
}
