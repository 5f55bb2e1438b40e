import { isDeepStrictEqual } from "node:util"
import { messageOf } from "../../../i18n/message"
import { fault, GatewayError, validationError } from "../kernel/errors"
import type { By } from "../kernel/database/audit"
import type { Database, Sql } from "../kernel/database/database"
import { emit } from "../kernel/database/outbox"
import type { IntervalUnit } from "../kernel/money/calendar"
import { formatAmount, type Minor } from "../kernel/money/money"
import type { Cradle, Scope } from "../kernel/types"
import type { InvoiceWriterService } from "../invoices/writer"
import { planNames } from "../plans/rules"
import type { Plan, PlanService } from "../plans/service"
import { requireMayCharge } from "../saved-methods/permission-to-charge"
import { auditSubscription } from "./audit"
import { agreedCost } from "./billing/records"
import { boughtPeriod, closeRecord, repriceRecord } from "./billing/record-changes"
import type { PaymentRetryService } from "./billing/retry"
import { areTerms, schedule, switchNow, type Beginning, type Proration } from "./change-rules"
import { balanceOf, dueOf, periodOf, takeCredits, type Credit } from "./credit-rules"
import { chargedNext, isComplete, isLastPeriod } from "./end-rules"
import { subscriptionEvents } from "./events"
import { openBounds, openPrice, type NewTerms } from "./lifecycle"
import type { SubscriptionPaymentService } from "./payments"
import { priceOf, unitOf } from "./quantity-rules"
import { findSubscription, saveSubscriptions, type SubscriptionRow } from "./records"
import type { SubscriptionService } from "./service"

/**
 * Null members stay as they are; a plan brings its own price of one and its interval, and keeps the quantity. `amount` is
 * the whole price, `unit_amount` that of one; in poisha.
 */
export type WantedChange = {
  plan_id: string | null
  amount: Minor | null
  unit_amount: Minor | null
  quantity: number | null
  interval_count: number | null
  interval_unit: IntervalUnit | null
  when: Beginning
  proration: Proration
  /** Only to a plan of the same family: what a customer may choose. */
  isOwn?: boolean
  /** What was shown as due at once, in poisha: another sum is not charged. */
  shown_due?: Minor
}

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
  subscriptionPaymentService: SubscriptionPaymentService
  subscriptionService: SubscriptionService
}

/** Switches subscriptions to another plan or to other terms, with proration (docs/decisions/11). */
export class SubscriptionChangeService {
  private readonly database: Database
  private readonly invoices: InvoiceWriterService
  private readonly retries: PaymentRetryService
  private readonly plans: PlanService
  private readonly payments: SubscriptionPaymentService
  private readonly subscriptions: SubscriptionService

  constructor(cradle: Services) {
    this.database = cradle.database
    this.invoices = cradle.invoiceWriterService
    this.retries = cradle.paymentRetryService
    this.plans = cradle.planService
    this.payments = cradle.subscriptionPaymentService
    this.subscriptions = cradle.subscriptionService
  }

  /**
   * Says what `change` would do now, and does nothing. Errors: SUBSCRIPTION_NOT_FOUND, PLAN_NOT_FOUND, PLAN_INACTIVE,
   * INVALID_STATE_TRANSITION, VALIDATION_ERROR for a plan in another currency.
   */
  async preview(scope: Scope, id: string, wanted: WantedChange): Promise<ChangePreview> {
    const row = await findSubscription(this.database, scope, id)
    const terms = await this.termsOf(this.database, scope, row, wanted)
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
    const step = async (sql: Sql, row: SubscriptionRow) => {
      const terms = await this.termsOf(sql, scope, row, wanted)
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
      const next = { ...row, scheduled_change: null }
      await (row.scheduled_change === null
        ? saveSubscriptions(sql, [{ from: row.status, next }])
        : this.write(sql, scope, row, next))
      return next
    }
    return this.subscriptions.change(scope, id, step, scope)
  }

  private async isOffered(sql: Sql, scope: Scope, { plan_id }: SubscriptionRow, plan: Plan | null): Promise<boolean> {
    const offered = plan_id === null ? [] : await this.plans.relatives(scope, plan_id, sql)
    return offered.some(({ id }) => id === plan?.id)
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

  /** A plan's terms, with what else is wanted in their place. Errors as of `preview`. */
  private async termsOf(sql: Sql, scope: Scope, row: SubscriptionRow, wanted: WantedChange): Promise<NewTerms> {
    if (row.source === "store") {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.change_of_goods"))
    }
    const { scheduled_change: scheduled } = row
    if (wanted.plan_id === null && scheduled !== null && scheduled.plan_id !== row.plan_id) {
      // Without a plan these would be terms of the old one, and the new plan would be gone without a word.
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.change_waits"))
    }
    const plan = wanted.plan_id === null ? null : await this.plans.requireActive(sql, scope, wanted.plan_id)
    if (plan !== null && plan.currency !== row.currency) {
      const why = messageOf("refusal.change_currency", { plan: plan.currency, currency: row.currency })
      throw validationError([fault("subscription_plan_id", why)])
    }
    const terms: NewTerms = {
      ...(plan === null ? planOf(row) : { ...planNames(plan), plan_id: plan.id, plan_number: plan.number }),
      ...priceOf(wanted, { unit_minor: plan?.amount_minor ?? unitOf(row), quantity: row.quantity }),
      interval_count: wanted.interval_count ?? plan?.interval_count ?? row.interval_count,
      interval_unit: wanted.interval_unit ?? plan?.interval_unit ?? row.interval_unit,
      ...(plan === null || plan.id === row.plan_id ? {} : { billing_cycles: plan.billing_cycles }),
    }
    if (wanted.isOwn === true && !areTerms(row, terms) && !(await this.isOffered(sql, scope, row, plan))) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.change_family"))
    }
    return terms
  }
}

/** A charge may have been waited for: nothing is switched before the period that has begun with it. */
function momentOf({ current_period_start: start }: SubscriptionRow, { now }: Scope): Date {
  return start !== null && start > now ? start : now
}

/** Whether the open period is to be paid now, on the new terms. */
function isDue({ status, next_billing_date }: SubscriptionRow, at: Date, proration: Proration): boolean {
  const isOverdue = status === "PAST_DUE" && proration === "credit"
  return isOverdue || (status === "ACTIVE" && next_billing_date !== null && next_billing_date <= at)
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

function planOf({ plan_id, plan_number, plan_name, plan_name_bn }: SubscriptionRow) {
  return { plan_id, plan_number, plan_name, plan_name_bn }
}
