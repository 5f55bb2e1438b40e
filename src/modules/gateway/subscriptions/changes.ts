import { isDeepStrictEqual } from "node:util"
import { messageOf } from "../../../i18n/message"
import { GatewayError } from "../kernel/errors"
import type { By } from "../kernel/database/audit"
import type { Database, Sql } from "../kernel/database/database"
import { emit } from "../kernel/database/outbox"
import { formatAmount } from "../kernel/money/money"
import type { Cradle, Scope } from "../kernel/types"
import type { InvoiceWriterService } from "../invoices/writer"
import type { PlanService } from "../plans/service"
import { requireMayCharge } from "../saved-methods/permission-to-charge"
import { AskedTerms, type WantedChange } from "./asked-terms"
import { auditSubscription } from "./audit"
import { agreedCost } from "./billing/records"
import { boughtPeriod, closeRecord, repriceRecord } from "./billing/record-changes"
import type { PaymentRetryService } from "./billing/retry"
import { areTerms, isDue, momentOf, nextTerms, schedule, switchNow, type Proration } from "./change-rules"
import { balanceOf, dueOf, periodOf, takeCredits, type Credit } from "./credit-rules"
import { chargedNext, isComplete, isLastPeriod } from "./end-rules"
import { subscriptionEvents } from "./events"
import { openBounds, openPrice, type NewTerms } from "./lifecycle"
import type { SubscriptionPaymentService } from "./payments"
import { findSubscription, saveSubscriptions, type SubscriptionRow } from "./records"
import type { SubscriptionService } from "./service"
import type { StoreSubscriptionService } from "./store/subscriptions"

/** What the open period costs, or what a credit takes off (negative) or adds. In poisha. */
type PreviewLine = Credit & { kind: "period" | "credit" }

/** What a change would do, in poisha. `lines` add up to `amount_due`; none where nothing is due at once. */
export type ChangePreview = {
  terms: NewTerms
  /** The end that the subscription has stays; otherwise it is that of the terms. */
  has_own_end: boolean
  begins_at: Date
  amount_due: number
  lines: PreviewLine[]
  /** What remains for later periods; negative: what is still owed. */
  credit_left: number
  /** Null before the first payment, and where none follows. */
  next_billing_date: Date | null
  next_amount: number
}

type Services = Cradle & {
  invoiceWriterService: InvoiceWriterService
  paymentRetryService: PaymentRetryService
  planService: PlanService
  storeSubscriptionService: StoreSubscriptionService
  subscriptionPaymentService: SubscriptionPaymentService
  subscriptionService: SubscriptionService
}

/** Switches subscriptions to another plan or to other terms, with proration (docs/decisions/11). */
export class SubscriptionChangeService {
  private readonly database: Database
  private readonly invoices: InvoiceWriterService
  private readonly retries: PaymentRetryService
  private readonly payments: SubscriptionPaymentService
  private readonly subscriptions: SubscriptionService
  private readonly asked: AskedTerms

  constructor(cradle: Services) {
    this.database = cradle.database
    this.invoices = cradle.invoiceWriterService
    this.retries = cradle.paymentRetryService
    this.payments = cradle.subscriptionPaymentService
    this.subscriptions = cradle.subscriptionService
    this.asked = new AskedTerms(cradle.planService, cradle.storeSubscriptionService)
  }

  /**
   * Says what `change` would do now, and does nothing. Errors: SUBSCRIPTION_NOT_FOUND, PLAN_NOT_FOUND, PLAN_INACTIVE,
   * INVALID_STATE_TRANSITION, VALIDATION_ERROR for a plan in another currency.
   */
  async preview(scope: Scope, id: string, wanted: WantedChange): Promise<ChangePreview> {
    const row = await findSubscription(this.database, scope, id)
    const goods = await this.asked.goodsOf(scope, row, wanted)
    const terms = await this.asked.termsOf(this.database, scope, row, { ...wanted, goods })
    const agreed = { terms, has_own_end: row.has_own_end }
    if (wanted.when === "period_end") {
      const next = schedule(row, terms)
      return { ...agreed, ...ofNextPeriod(next, next.next_billing_date ?? scope.now, terms.amount_minor) }
    }
    const at = momentOf(row, scope)
    const next = await this.switched(this.database, row, terms, wanted.proration, at)
    if (!isDue(next, at, wanted.proration) || areTerms(row, terms)) {
      return { ...agreed, ...ofNextPeriod(next, at, next.status === "PAST_DUE" ? next.amount_minor : openPrice(next)) }
    }
    const cost = agreedCost(next)
    const bounds = openBounds(next, at)
    const period = periodOf({ ...next, quantity: cost.quantity }, bounds)
    const { taken, left } = takeCredits(next.credits, cost.credit_minor, period)
    const lines: PreviewLine[] = [
      { kind: "period", ...period, amount_minor: cost.amount_minor + cost.credit_minor },
      ...taken.map((credit) => ({ kind: "credit" as const, ...credit, amount_minor: -credit.amount_minor })),
    ]
    const later = isLastPeriod(next, bounds)
      ? { next_billing_date: null, next_amount: 0 }
      : { next_billing_date: bounds.end, next_amount: dueOf(next.amount_minor, left) }
    const credit_left = balanceOf(left)
    return { ...agreed, begins_at: at, amount_due: cost.amount_minor, lines, credit_left, ...later }
  }

  /**
   * Changes the terms. What is due then is charged at once; a charge that fails leaves the subscription past due, on the
   * new terms. The same change again changes nothing. Errors as of `preview`, MERCHANT_SUSPENDED, SERVICE_NOT_ENABLED.
   */
  async change(scope: Scope & By, id: string, wanted: WantedChange): Promise<SubscriptionRow> {
    let mayBeDue = false
    // Before the subscription is locked: the store answers over connections of its own.
    const goods = await this.asked.goodsOf(scope, await findSubscription(this.database, scope, id), wanted)
    const step = async (sql: Sql, row: SubscriptionRow) => {
      const terms = await this.asked.termsOf(sql, scope, row, { ...wanted, goods })
      await requireMayCharge(sql, scope, "subscriptions")
      if (row.awaiting_transaction_id !== null) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.subscription_being_paid"))
      }
      if (wanted.when === "period_end") {
        const next = schedule(row, terms)
        if (!isDeepStrictEqual(next.scheduled_change, row.scheduled_change)) {
          await this.write(sql, scope, row, next)
        }
      } else if (!areTerms(row, terms) || row.scheduled_change !== null) {
        await this.switch(sql, scope, row, terms, wanted)
        mayBeDue = wanted.proration === "credit"
      }
      return findSubscription(sql, scope, row.id)
    }
    const row = await this.subscriptions.change(scope, id, step, scope)
    if (!mayBeDue) {
      return row
    }
    await this.retries.chargeDue(scope, row.id)
    return findSubscription(this.database, scope, row.id)
  }

  /** Takes a scheduled change back; without one nothing changes. Errors: SUBSCRIPTION_NOT_FOUND. */
  async takeBack(scope: Scope & By, id: string): Promise<SubscriptionRow> {
    const step = async (sql: Sql, row: SubscriptionRow) => {
      // What waits behind a cancellation is not shown, and comes back when that is undone.
      const waits = nextTerms(row) !== null
      const next = waits ? { ...row, scheduled_change: null } : row
      await (waits ? this.write(sql, scope, row, next) : saveSubscriptions(sql, [{ from: row.status, next }]))
      return next
    }
    return this.subscriptions.change(scope, id, step, scope)
  }

  private async switch(
    sql: Sql,
    scope: Scope & By,
    row: SubscriptionRow,
    terms: NewTerms,
    { proration, shown_due }: WantedChange
  ): Promise<void> {
    const at = momentOf(row, scope)
    const next = await this.switched(sql, row, terms, proration, at)
    const due = isDue(next, at, proration) ? agreedCost(next).amount_minor : null
    if (shown_due !== undefined && Number(shown_due) !== (due ?? 0)) {
      const amount = `${formatAmount(due ?? 0)} ${row.currency}`
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.change_costs_otherwise", { amount }))
    }
    if (next.status === "PAST_DUE" && proration === "none") {
      // The overdue period stays as it was asked for.
      await this.save(sql, scope, row, next)
      return
    }
    await this.write(sql, scope, row, next)
    if (next.status === "PAST_DUE") {
      await repriceRecord(sql, next, at)
    } else if (next.current_period_end?.getTime() !== row.current_period_end?.getTime()) {
      await closeRecord(sql, next, at)
    }
    if (due === 0) {
      await this.payments.cover(sql, [{ row: next, at }])
    } else if (next.status === "PAST_DUE") {
      await emit(sql, await this.payments.invoiceOpen(sql, next, at))
      // The billing run charges it if this process ends before it does.
      await sql.query("UPDATE gateway_subscription SET due_at = $2 WHERE id = $1 AND instrument_id IS NOT NULL", [
        row.id,
        at,
      ])
    }
  }

  /** The row on its new terms; where those hold already only a scheduled change ends. */
  private async switched(
    sql: Sql,
    row: SubscriptionRow,
    terms: NewTerms,
    proration: Proration,
    at: Date
  ): Promise<SubscriptionRow> {
    return areTerms(row, terms)
      ? { ...row, scheduled_change: null }
      : switchNow(row, terms, { at, bought: await boughtPeriod(sql, row), proration })
  }

  /** An invoice that is open asks for what is not to be paid any more. */
  private async write(sql: Sql, scope: Scope & By, row: SubscriptionRow, next: SubscriptionRow): Promise<void> {
    await this.invoices.voidOpen(sql, [{ id: row.id, at: scope.now }])
    await this.save(sql, scope, row, next)
  }

  private async save(sql: Sql, scope: Scope & By, row: SubscriptionRow, next: SubscriptionRow): Promise<void> {
    await saveSubscriptions(sql, [{ from: row.status, next }])
    await emit(sql, subscriptionEvents(next, ["subscription.changed"], scope.now))
    await auditSubscription(sql, scope, "subscription.plan_changed", row, next)
  }
}

/** Nothing is due at once: what the next period costs. */
function ofNextPeriod(
  next: SubscriptionRow,
  begins_at: Date,
  price: number
): Omit<ChangePreview, "terms" | "has_own_end"> {
  const credit_left = balanceOf(next.credits)
  return {
    begins_at,
    amount_due: 0,
    lines: [],
    credit_left,
    next_billing_date: chargedNext(next),
    next_amount: isComplete(next) ? 0 : dueOf(price, next.credits),
  }
}
