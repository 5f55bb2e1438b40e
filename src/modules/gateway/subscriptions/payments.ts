import { messageOf, type Message } from "../../../i18n/message"
import { dunningOf, nextRetryAt, type Dunning } from "./billing/dunning"
import type { Kept } from "./cancellation-rules"
import { requireToPay } from "./change-rules"
import { GatewayError } from "../kernel/errors"
import { isSameLength, openBounds, openPeriod, type Bounds } from "./lifecycle"
import { billingRecordMachine } from "./billing/states"
import type { TransactionTrigger } from "../payments/states"
import { pauseLength } from "./rules"
import {
  CHARGE_COLUMNS,
  CHARGE_TABLES,
  contextNow,
  recordAutomaticPayments,
  type ChargeContext,
} from "./billing/automatic-payments"
import type { MerchantUrls } from "./order-rules"
import {
  agreedCost,
  awaitPayments,
  costOf,
  holdPeriod,
  openRecord,
  returnRecords,
  settleRecords,
} from "./billing/records"
import { moveRecords, noteRefund } from "./billing/record-changes"
import {
  applySettlement,
  endsPause,
  eventsOf,
  hasInvoice,
  invoiceRequest,
  outdatesInvoice,
  paidGoods,
  recordSettlement,
  type Settlement,
} from "./billing/settlement"
import type { Sql } from "../kernel/database/database"
import { emit, type OutgoingEvent } from "../kernel/database/outbox"
import { merchantNow, type PaymentRecord } from "../payments/records"
import { promiseOrders } from "./store/renewal-orders"
import { boundsOf, findSubscription, saveSubscriptions, type SubscriptionRow } from "./records"
import type { TrialService } from "./trials"
import { takeVerifiedMethod } from "./verification"
import type { Cradle } from "../kernel/types"
import type { InstrumentService } from "../saved-methods/instruments"
import type { InvoiceWriterService } from "../invoices/writer"

type UnfinishedCharge = Omit<ChargeContext, "token"> & MerchantUrls & { clock_offset_seconds: number }

type Writers = { invoiceWriterService: InvoiceWriterService; instrumentService: InstrumentService }

/** By the trigger of a refunded payment: the trigger of its period's billing record. */
const REFUND_TRIGGERS: Partial<Record<TransactionTrigger, "refund" | "bounce">> = {
  refund_in_full: "refund",
  refund_bounced: "bounce",
}

/** The payment goes on, and the period stays held for it. */
const STILL_PAID: readonly TransactionTrigger[] = ["attempt", "pass_on", "hold"]

/**
 * What a payment does to the subscription it is for: the period is reserved in the transaction that starts the payment,
 * and settled, with record, invoice and events, in the transaction that settles it (decisions: Plans).
 */
export class SubscriptionPaymentService {
  private readonly invoices: InvoiceWriterService
  private readonly instruments: InstrumentService
  private readonly dunning: Dunning
  private readonly trials: TrialService

  constructor(cradle: Cradle & Writers & { trialService: TrialService }) {
    this.invoices = cradle.invoiceWriterService
    this.instruments = cradle.instrumentService
    this.trials = cradle.trialService
    const { retryDays, afterLastRetry } = cradle.gatewayOptions
    this.dunning = { retryDays, afterLast: afterLastRetry }
  }

  /**
   * Holds the period for a shopper who is about to pay it. 409 INVALID_STATE_TRANSITION when the subscription has
   * ended, when the period is paid or being paid, and when the checkout was made for another amount or length. A
   * verification holds nothing: it pays no period.
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
    if (payment.source === "verification") {
      return
    }
    if (openPeriod(row) !== payment.subscription_period) {
      throw refusal(messageOf("refusal.period_paid"))
    }
    await this.trials.requireFirst(sql, row)
    const now = merchantNow(payment)
    const { amount_minor, ...cost } = costOf(row, await openRecord(sql, row))
    requireToPay(row, amount_minor, now)
    if (amount_minor !== payment.amount_minor) {
      throw refusal(messageOf("refusal.period_amount_changed"))
    }
    if (!isSameLength(openPeriod(row), row, payment)) {
      throw refusal(messageOf("refusal.period_interval_changed"))
    }
    const { transaction_id, session_id } = payment
    await holdPeriod(sql, row, { transaction_id, session_id, amount_minor, ...cost }, now)
    await saveSubscriptions(sql, [{ from: row.status, next: { ...row, awaiting_transaction_id: transaction_id } }])
  }

  /** The other end of `reserve`, and of automatic charges that were left open: the payment's state has changed. */
  async ended(sql: Sql, payment: PaymentRecord, on: TransactionTrigger, at: Date): Promise<void> {
    const { subscription_id, subscription_period, transaction_id, session_id } = payment
    if (payment.source === "verification") {
      return on === "succeed" ? takeVerifiedMethod(sql, this.instruments, payment, at) : undefined
    }
    const refunded = REFUND_TRIGGERS[on]
    if (payment.source === "cart" && refunded !== undefined) {
      await noteRefund(sql, transaction_id, refunded)
    }
    if (subscription_id === null || subscription_period === null || STILL_PAID.includes(on)) {
      return
    }
    const row = await findSubscription(sql, payment, subscription_id, "FOR UPDATE OF s")
    const record = await openRecord(sql, row, subscription_period)
    if (record === null || record.transaction_id !== transaction_id) {
      return
    }
    if (refunded !== undefined) {
      billingRecordMachine.require(record.status, refunded)
      await noteRefund(sql, transaction_id, refunded)
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
        error_code: paid ? null : (payment.error_code ?? payment.attempt_error_code ?? on.toUpperCase()),
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
    const failed = settlements.filter(({ paid, by }) => !paid && by === "charge")
    const dunning = await dunningOf(
      sql,
      this.dunning,
      failed.map(({ row }) => row)
    )
    const applied = settlements.map((settlement) => applySettlement(settlement, dunning(settlement.row)))
    for (const { row, at } of settlements.filter(endsPause)) {
      await moveRecords(sql, row, pauseLength(row, at))
    }
    await settleRecords(sql, applied.map(recordSettlement))
    await saveSubscriptions(
      sql,
      applied.map(({ settlement, change }) => ({
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
    await promiseOrders(sql, applied.flatMap(paidGoods))
    await this.invoices.voidOpen(
      sql,
      applied.filter(outdatesInvoice).map(({ settlement }) => ({ id: settlement.row.id, at: settlement.at }))
    )
    const { events } = await this.invoices.write(sql, applied.filter(hasInvoice).map(invoiceRequest))
    const emitted = [...before, ...events, ...applied.flatMap(eventsOf)]
    await emit(
      sql,
      emitted.sort((left, right) => left.occurred_at.getTime() - right.occurred_at.getTime())
    )
  }

  /**
   * A charge whose worker died, of a subscription that is about to change, or that nobody can charge for now: it
   * becomes a payment of unknown outcome, so that the reconciler asks what became of it and nobody charges again.
   * Returns the row as it now is.
   */
  async leaveToReconciler(sql: Sql, row: SubscriptionRow): Promise<SubscriptionRow> {
    const free = { ...row, lock_token: null, locked_until: null }
    const record = await openRecord(sql, row)
    if (record === null || record.status !== "PROCESSING") {
      return free
    }
    const [charge] = await sql.query<UnfinishedCharge>(
      `SELECT ${CHARGE_COLUMNS} FROM gateway_subscription s ${CHARGE_TABLES} WHERE s.id = $1 AND i.id IS NOT NULL`,
      [row.id]
    )
    if (charge === undefined) {
      // Nothing was sent: there is nothing to charge with.
      await returnRecords(sql, [record])
      return free
    }
    const at = contextNow(charge)
    const [{ transaction_id, session_id }] = await recordAutomaticPayments(sql, [
      {
        row,
        record,
        context: charge,
        urls: charge,
        outcome: { state: "PROCESSING", references: record.charge_references ?? {} },
        at,
      },
    ])
    await awaitPayments(sql, [{ id: record.id, transaction_id, session_id }])
    return { ...free, awaiting_transaction_id: transaction_id }
  }

  /**
   * An order of the store has paid the first period of a subscription made in this very transaction. A free order has
   * no payment. A free trial has no period: only what the order was paid with is kept.
   */
  async paidByOrder(
    sql: Sql,
    row: SubscriptionRow,
    payment: PaymentRecord | null,
    { amount_minor, lines }: { amount_minor: number; lines: Settlement["lines"] },
    at: Date
  ): Promise<void> {
    const { transaction_id, session_id } = payment ?? { transaction_id: null, session_id: null }
    const instrument_id = payment === null ? null : await this.instruments.keep(sql, row, payment, at)
    const kept = instrument_id === null ? {} : { instrument_id }
    if (row.status === "TRIALING") {
      return saveSubscriptions(sql, [{ from: row.status, next: { ...row, ...kept } }])
    }
    const { quantity } = agreedCost(row)
    const cost = { amount_minor, credit_minor: 0, quantity }
    const record = await holdPeriod(sql, row, { transaction_id, session_id, ...cost }, at)
    const payer = { by: "shopper", paid: true, transaction_id, session_id, error_code: null } as const
    await this.settle(sql, [{ row, record, ...payer, ...kept, lines, at }])
  }

  /** Pays open periods that cost nothing with credits. The rows are locked, and nothing is being charged. */
  async cover(sql: Sql, due: readonly { row: SubscriptionRow; at: Date }[]): Promise<void> {
    const payment = { transaction_id: null, session_id: null }
    const settlements: Settlement[] = []
    for (const { row, at } of due) {
      const record = await holdPeriod(sql, row, { ...payment, ...agreedCost(row) }, at)
      settlements.push({ row, record, by: "charge", paid: true, ...payment, error_code: null, at })
    }
    await this.settle(sql, settlements)
  }

  /** What undoing a cancellation goes back to: the periods that are paid ahead, and the rest of the retries. */
  async keptBy(sql: Sql, row: SubscriptionRow, now: Date): Promise<Kept> {
    const ahead: Bounds[] = []
    for (let period = row.current_period + 1; period <= row.paid_period; period += 1) {
      const record = await openRecord(sql, row, period)
      ahead.push(...(record === null ? [] : [boundsOf(record)]))
    }
    const dunning = (await dunningOf(sql, this.dunning, row.past_due_since === null ? [] : [row]))(row)
    const retryAt = (firstFailure: Date, failures: number) =>
      nextRetryAt(dunning, { firstFailure, failures, now }, row.time_zone)
    return { ahead, retryAt }
  }

  /** Writes the invoice of an overdue period again, which a cancellation or a switch has voided. Returns its events. */
  async invoiceOpen(sql: Sql, row: SubscriptionRow, at: Date): Promise<OutgoingEvent[]> {
    const bounds = openBounds(row, at)
    const owed = { period: openPeriod(row), bounds, ...costOf(row, await openRecord(sql, row)) }
    return (await this.invoices.write(sql, [{ row, at, paid: false, due_date: bounds.start, ...owed }])).events
  }
}

function refusal(reason: Message): GatewayError {
  return new GatewayError("INVALID_STATE_TRANSITION", reason)
}
