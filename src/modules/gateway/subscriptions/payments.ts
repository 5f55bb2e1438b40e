import { messageOf, type Message } from "../../../i18n/message"
import { nextRetryAt, type Dunning } from "./billing/dunning"
import { GatewayError } from "../kernel/errors"
import { newId } from "../kernel/ids"
import { openBounds, openPeriod, type Bounds } from "./state"
import { billingRecordMachine } from "./billing/states"
import type { TransactionTrigger } from "../payments/states"
import { chargeFailed, chargeSucceeded, pauseLength, payOpen, type Change } from "./rules"
import {
  CHARGE_COLUMNS,
  CHARGE_TABLES,
  contextNow,
  recordAutomaticPayments,
  type ChargeContext,
  type MerchantUrls,
} from "./billing/automatic-payments"
import {
  amountDue,
  awaitPayments,
  moveRecords,
  openRecord,
  settleRecords,
  type RecordSettlement,
} from "./billing/records"
import type { Sql } from "../kernel/database"
import { emit, type OutgoingEvent } from "../kernel/outbox"
import { merchantNow, type PaymentRecord } from "../payments/records"
import { promiseOrders, type PaidPeriod } from "./store/renewal-orders"
import { subscriptionEvents } from "./events"
import { boundsOf, findSubscription, saveSubscriptions, type BillingRecord, type SubscriptionRow } from "./records"
import type { Cradle } from "../kernel/types"
import type { InstrumentService } from "../payments/instruments"
import type { InvoiceService, InvoiceRequest } from "../invoices/service"

/** How the payment of a period ended. `row` is locked, `record` is PROCESSING. */
export type Settlement = {
  row: SubscriptionRow
  record: BillingRecord
  by: "charge" | "shopper"
  paid: boolean
  transaction_id: string | null
  session_id: string | null
  error_code: string | null
  instrument_id?: string
  at: Date
}

type Worked = { settlement: Settlement; change: Change<SubscriptionRow>; bounds: Bounds }
type Hand = ChargeContext & MerchantUrls & { clock_offset_seconds: number }

/**
 * What a payment does to the subscription it is for: the period is reserved in the transaction that starts the payment,
 * and settled, with record, invoice and events, in the transaction that settles it (decisions: Plans).
 */
export class SubscriptionPaymentService {
  private readonly invoices: InvoiceService
  private readonly instruments: InstrumentService
  private readonly dunning: Dunning

  constructor(cradle: Cradle & { invoiceService: InvoiceService; instrumentService: InstrumentService }) {
    this.invoices = cradle.invoiceService
    this.instruments = cradle.instrumentService
    const { retryDays, afterLastRetry } = cradle.gatewayOptions
    this.dunning = { retryDays, afterLast: afterLastRetry }
  }

  /**
   * Holds the period for a shopper who is about to pay it. 409 INVALID_STATE_TRANSITION when the subscription has
   * ended, when the period is paid or being paid, and when the checkout was made for another amount.
   */
  async reserve(sql: Sql, payment: PaymentRecord): Promise<void> {
    const { subscription_id } = payment
    if (subscription_id === null) {
      return
    }
    const row = await findSubscription(sql, payment, subscription_id, "FOR UPDATE OF s")
    if (row.status === "CANCELLED" || row.status === "EXPIRED") {
      throw refusal(messageOf("refusal.subscription_ended"))
    }
    if (row.lock_token !== null || row.awaiting_transaction_id !== null) {
      throw refusal(messageOf("refusal.subscription_payment_running"))
    }
    if (openPeriod(row) !== payment.subscription_period) {
      throw refusal(messageOf("refusal.period_paid"))
    }
    const now = merchantNow(payment)
    const record = await openRecord(sql, row)
    if (amountDue(row, record) !== payment.amount_minor) {
      throw refusal(messageOf("refusal.period_amount_changed"))
    }
    const { transaction_id, session_id, amount_minor } = payment
    await this.holdPeriod(sql, row, { transaction_id, session_id, amount_minor }, now)
    await saveSubscriptions(sql, [{ from: row.status, next: { ...row, awaiting_transaction_id: transaction_id } }])
  }

  /** The other end of `reserve`, and of automatic charges that were left open: the payment's state has changed. */
  async ended(sql: Sql, payment: PaymentRecord, on: TransactionTrigger, at: Date): Promise<void> {
    const { subscription_id, subscription_period, transaction_id, session_id } = payment
    if (payment.source === "cart" && on === "refund_in_full") {
      await this.refunded(sql, transaction_id)
    }
    if (subscription_id === null || subscription_period === null || on === "attempt") {
      return
    }
    const row = await findSubscription(sql, payment, subscription_id, "FOR UPDATE OF s")
    const record = await openRecord(sql, row, subscription_period)
    if (record === null || record.transaction_id !== transaction_id) {
      return
    }
    if (on === "refund_in_full") {
      billingRecordMachine.require(record.status, "refund")
      await this.refunded(sql, transaction_id)
      return
    }
    if (record.status !== "PROCESSING") {
      return
    }
    const paid = on === "succeed"
    const instrument = paid ? await this.instruments.keep(sql, row, payment, at) : null
    await this.settle(sql, [
      {
        row,
        record,
        by: payment.source === "billing" ? "charge" : "shopper",
        paid,
        transaction_id,
        session_id,
        error_code: paid ? null : (payment.error_code ?? on.toUpperCase()),
        ...(instrument === null ? {} : { instrument_id: instrument }),
        at,
      },
    ])
  }

  /**
   * Writes how payments ended, for any number of subscriptions at once: each one's record, its invoice, where it now
   * stands, and the events in the order of their times, `before` first. Every row is locked by the caller.
   */
  async settle(sql: Sql, settlements: readonly Settlement[], before: readonly OutgoingEvent[] = []): Promise<void> {
    const dunning = await this.dunningOf(sql, settlements)
    const worked = settlements.map((settlement) => work(settlement, dunning(settlement.row)))
    for (const { row, at } of settlements.filter(
      (one) => one.paid && one.by === "shopper" && one.row.paused_at !== null
    )) {
      await moveRecords(sql, row, pauseLength(row, at))
    }
    await settleRecords(sql, worked.map(recordSettlement))
    await saveSubscriptions(
      sql,
      worked.map(({ settlement, change }) => ({
        from: settlement.row.status,
        instrument_before: settlement.row.instrument_id,
        next: {
          ...change.next,
          instrument_id: settlement.instrument_id ?? change.next.instrument_id,
          awaiting_transaction_id: null,
          lock_token: null,
          locked_until: null,
        },
      }))
    )
    await promiseOrders(sql, worked.flatMap(paidGoods))
    const gone = worked.filter(({ settlement, change }) => !settlement.paid && change.next.status === "CANCELLED")
    await this.invoices.voidOpen(
      sql,
      gone.map(({ settlement }) => ({ id: settlement.row.id, at: settlement.at }))
    )
    const { events } = await this.invoices.write(sql, worked.filter(hasInvoice).map(invoiceRequest))
    const told = [...before, ...events, ...worked.flatMap(eventsOf)]
    await emit(
      sql,
      told.sort((left, right) => left.occurred_at.getTime() - right.occurred_at.getTime())
    )
  }

  /**
   * A charge whose worker died, of a subscription that is about to change: it becomes a payment of unknown outcome, so
   * that the reconciler asks what became of it and nobody charges again. Answers the row as it now is.
   */
  async handOver(sql: Sql, row: SubscriptionRow): Promise<SubscriptionRow> {
    const free = { ...row, lock_token: null, locked_until: null }
    const record = await openRecord(sql, row)
    if (record === null || record.status !== "PROCESSING") {
      return free
    }
    const [hand] = await sql.query<Hand>(
      `SELECT ${CHARGE_COLUMNS} FROM gateway_subscription s ${CHARGE_TABLES} WHERE s.id = $1 AND i.id IS NOT NULL`,
      [row.id]
    )
    if (hand === undefined) {
      return free
    }
    const at = contextNow(hand)
    const [{ transaction_id, session_id }] = await recordAutomaticPayments(sql, [
      { row, record, context: hand, urls: hand, outcome: { state: "PROCESSING" }, attempt_token: newId("att"), at },
    ])
    await awaitPayments(sql, [{ id: record.id, transaction_id, session_id }])
    return { ...free, awaiting_transaction_id: transaction_id }
  }

  /** An order of the store has paid the first period of a subscription that was made in this very transaction. */
  async paidByOrder(
    sql: Sql,
    row: SubscriptionRow,
    payment: PaymentRecord,
    amount_minor: number,
    at: Date
  ): Promise<void> {
    const { transaction_id, session_id } = payment
    await this.holdPeriod(sql, row, { transaction_id, session_id, amount_minor }, at)
    const record = await openRecord(sql, row)
    const instrument_id = await this.instruments.keep(sql, row, payment, at)
    const kept = instrument_id === null ? {} : { instrument_id }
    if (record !== null) {
      await this.settle(sql, [
        { row, record, by: "shopper", paid: true, transaction_id, session_id, error_code: null, ...kept, at },
      ])
    }
  }

  private async refunded(sql: Sql, transaction_id: string): Promise<void> {
    await sql.query(
      "UPDATE gateway_billing_record SET status = 'REFUNDED', updated_at = now() WHERE transaction_id = $1 AND status = 'SUCCESS'",
      [transaction_id]
    )
  }

  private async holdPeriod(
    sql: Sql,
    row: SubscriptionRow,
    payment: { transaction_id: string; session_id: string; amount_minor: number },
    now: Date
  ): Promise<void> {
    const { start, end } = openBounds(row, now)
    const held = await sql.query(
      `INSERT INTO gateway_billing_record AS r (id, uuid, merchant_id, environment, subscription_id, period, status,
         amount_minor, currency, billing_date, period_start, period_end, transaction_id, session_id, opened_at)
       VALUES ($1, gen_random_uuid()::text, $2, $3, $4, $5, 'PROCESSING', $6, $7, $8, $8, $9, $10, $11, $12)
       ON CONFLICT (subscription_id, period) DO UPDATE SET status = 'PROCESSING', amount_minor = excluded.amount_minor,
         transaction_id = excluded.transaction_id, session_id = excluded.session_id, error_code = NULL, updated_at = now()
       WHERE r.status IN ('PENDING', 'FAILED')
       RETURNING r.id`,
      [
        newId("sbr"),
        row.merchant_id,
        row.environment,
        row.id,
        openPeriod(row),
        payment.amount_minor,
        row.currency,
        start,
        end,
        payment.transaction_id,
        payment.session_id,
        now,
      ]
    )
    if (held.length === 0) {
      throw refusal(messageOf("refusal.period_paid"))
    }
  }

  /** Each merchant's own schedule of retries, asked for only when something has failed. */
  private async dunningOf(sql: Sql, settlements: readonly Settlement[]): Promise<(row: SubscriptionRow) => Dunning> {
    const failed = settlements.filter(({ paid, by }) => !paid && by === "charge")
    if (failed.length === 0) {
      return () => this.dunning
    }
    const rows = await sql.query<{
      tenant: string
      retry_days: number[] | null
      after_last_retry: Dunning["afterLast"] | null
    }>(
      `SELECT merchant_id || ' ' || environment AS tenant, retry_days, after_last_retry
       FROM gateway_merchant_environment WHERE merchant_id = ANY($1)`,
      [[...new Set(failed.map(({ row }) => row.merchant_id))]]
    )
    const own = new Map(rows.map(({ tenant, ...dunning }) => [tenant, dunning]))
    return ({ merchant_id, environment }) => {
      const set = own.get(`${merchant_id} ${environment}`)
      return {
        retryDays: set?.retry_days ?? this.dunning.retryDays,
        afterLast: set?.after_last_retry ?? this.dunning.afterLast,
      }
    }
  }
}

function work(settlement: Settlement, dunning: Dunning): Worked {
  const { row, record, by, paid, at } = settlement
  if (paid) {
    const { bounds, ...change } =
      by === "shopper" ? payOpen(row, at, boundsOf(record)) : chargeSucceeded(row, at, boundsOf(record))
    return { settlement, change, bounds }
  }
  if (by === "shopper") {
    return { settlement, change: { next: row, emits: [] }, bounds: boundsOf(record) }
  }
  const retryAt = (first: Date, failures: number) => nextRetryAt(dunning, first, failures, at)
  return {
    settlement,
    change: chargeFailed(row, at, retryAt, dunning.afterLast === "cancel"),
    bounds: boundsOf(record),
  }
}

function recordSettlement({ settlement, bounds }: Worked): RecordSettlement {
  const { record, paid, by, transaction_id, session_id, error_code } = settlement
  const trigger = paid ? "succeed" : by === "charge" || record.attempts > 0 ? "fail" : "release"
  const { to } = billingRecordMachine.require(record.status, trigger)
  return {
    id: record.id,
    status: to,
    transaction_id,
    session_id,
    error_code,
    period_start: bounds.start,
    period_end: bounds.end,
  }
}

/** What the store sells on a plan is sent once it is paid. */
function paidGoods({ settlement: { row, record, paid, transaction_id: id, at } }: Worked): PaidPeriod[] {
  const isGoods = paid && row.source === "store" && id !== null
  return isGoods ? [{ transaction_id: id, subscription_id: row.id, period: record.period, at }] : []
}

/** Whatever is paid has an invoice, and whatever is owed: a shopper's try that failed leaves things as they were. */
function hasInvoice({ settlement, change }: Worked): boolean {
  return settlement.paid || (settlement.by === "charge" && change.next.status === "PAST_DUE")
}

function invoiceRequest({ settlement, bounds }: Worked): InvoiceRequest {
  const { row, record, at, paid } = settlement
  return {
    row,
    period: record.period,
    bounds,
    amount_minor: record.amount_minor,
    due_date: record.billing_date,
    at,
    paid,
  }
}

function eventsOf({ settlement, change }: Worked): OutgoingEvent[] {
  const { record, transaction_id, session_id, error_code, at } = settlement
  const payment = { amount_minor: record.amount_minor, period: record.period, transaction_id, session_id, error_code }
  return subscriptionEvents(change.next, change.emits, at, payment)
}

function refusal(reason: Message): GatewayError {
  return new GatewayError("INVALID_STATE_TRANSITION", reason)
}
