import { setTimeout as sleep } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { messageOf } from "../../../i18n/message"
import type { Interval, IntervalUnit } from "../kernel/money/calendar"
import { GatewayError } from "../kernel/errors"
import { changeTerms, requireAgreedLength, requireNothingScheduled, requireUnchanged } from "./change-rules"
import { changedPrice, priceOf, type AskedPrice, type NewPrice } from "./quantity-rules"
import { begin, cancel, pause, pauseLength, resume, type Change } from "./rules"
import { uncancel } from "./cancellation-rules"
import { changeEnd, isOtherEnd, type EndChange, type FormerEnd } from "./end-rules"
import { doneBefore, type By } from "../kernel/database/audit"
import type { AuditAction } from "../kernel/database/logged-actions"
import { costOf, openRecord } from "./billing/records"
import { moveRecords } from "./billing/record-changes"
import { json, type Database, type Sql } from "../kernel/database/database"
import { emit } from "../kernel/database/outbox"
import { withdrawHook } from "../kernel/database/hook-calls"
import { auditSubscription } from "./audit"
import { subscriptionEvents } from "./events"
import { findSubscription, insertSubscription, madeUnder, saveSubscriptions, type SubscriptionRow } from "./records"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import { listOfMerchant, type MerchantFilter, type NumberedPage } from "./list"
import { isSameLength, openPeriod, type Cancellation } from "./lifecycle"
import type { CustomerService, NewCustomer } from "./customers"
import type { InvoiceWriterService } from "../invoices/writer"
import { lockUsable } from "../saved-methods/instrument-tokens"
import { timeZoneOf } from "../merchants/records"
import type { PlanService } from "../plans/service"
import type { SubscriptionPaymentService } from "./payments"
import type { TrialService } from "./trials"

/** Missing members come from the plan; without a plan amount and interval are required. Amount in poisha. */
export type NewSubscription = Required<AskedPrice> &
  EndChange & {
    plan_id: string | null
    customer: { id: string } | NewCustomer
    currency: string | null
    interval_count: number | null
    interval_unit: IntervalUnit | null
    trial_period_days: number | null
    meta_data: Record<string, unknown>
  }

/** `former_end`: the end that the subscription had, in the place of one that is asked for. */
export type SubscriptionChange = Partial<Interval> &
  NewPrice &
  EndChange & { former_end?: FormerEnd; meta_data?: Record<string, unknown> }

type Services = Cradle & {
  customerService: CustomerService
  invoiceWriterService: InvoiceWriterService
  planService: PlanService
  subscriptionPaymentService: SubscriptionPaymentService
  trialService: TrialService
}

/** How long a change waits for a charge under way; longer than acquirers usually take. */
const PATIENCE_MS = 10_000
const PAUSE_MS = 25

/** Subscriptions and their changes (contract 4.6, 3.1; decisions: Plans and subscriptions). */
export class SubscriptionService {
  private readonly database: Database
  private readonly customers: CustomerService
  private readonly invoices: InvoiceWriterService
  private readonly plans: PlanService
  private readonly payments: SubscriptionPaymentService
  private readonly trials: TrialService

  constructor(cradle: Services) {
    this.database = cradle.database
    this.customers = cradle.customerService
    this.invoices = cradle.invoiceWriterService
    this.plans = cradle.planService
    this.payments = cradle.subscriptionPaymentService
    this.trials = cradle.trialService
  }

  /**
   * Errors: PLAN_NOT_FOUND, PLAN_INACTIVE, CUSTOMER_NOT_FOUND. When the request's idempotency record already has a
   * subscription (its answer was lost with a process), returns that one, even if its plan was archived since.
   */
  async create(
    scope: Scope & By,
    input: NewSubscription,
    idempotency_id: string | null = null
  ): Promise<SubscriptionRow> {
    const created = await this.database.transaction(async (sql) => {
      const made = await madeUnder(sql, scope, idempotency_id)
      if (made !== null) {
        return made
      }
      const plan = input.plan_id === null ? null : await this.plans.requireActive(sql, scope, input.plan_id)
      const customer =
        "id" in input.customer
          ? await this.customers.retrieve(scope, input.customer.id, sql)
          : await this.customers.getOrCreate(sql, scope, input.customer)
      const trial = await this.trials.ofNew(sql, scope, { customer, plan, asked: input.trial_period_days })
      const terms = {
        ...priceOf(input, { unit_minor: plan?.amount_minor ?? 0, quantity: 1 }),
        interval_count: input.interval_count ?? plan?.interval_count ?? 1,
        interval_unit: input.interval_unit ?? plan?.interval_unit ?? "MONTH",
        ...trial.terms,
        billing_cycles: plan?.billing_cycles ?? null,
        time_zone: await timeZoneOf(sql, scope),
      }
      const { next: begun, emits } = begin(terms, scope.now)
      const next = changeEnd(begun, input, scope.now)
      const id = await insertSubscription(sql, scope, next, {
        customer_id: customer.id,
        plan_id: plan?.id ?? null,
        currency: input.currency ?? plan?.currency ?? "BDT",
        meta_data: json(input.meta_data),
        idempotency_id,
        ...trial.columns,
      })
      if (id === null) {
        return null
      }
      const row = await findSubscription(sql, scope, id)
      await emit(sql, subscriptionEvents(row, emits, scope.now))
      await auditSubscription(sql, scope, "subscription.created", null, row)
      return row
    })
    // Null: another process, which still ran this request, has made it meanwhile.
    return created ?? this.create(scope, input, idempotency_id)
  }

  /** By the integer id or the uuid; throws SUBSCRIPTION_NOT_FOUND. */
  async retrieve(tenant: Tenant, id: string): Promise<SubscriptionRow> {
    return findSubscription(this.database, tenant, id)
  }

  /** Newest first; `customer_id` is the contract's integer. */
  async list(
    tenant: Tenant,
    filter: MerchantFilter,
    page: NumberedPage
  ): Promise<{ rows: SubscriptionRow[]; total: number }> {
    return listOfMerchant(this.database, tenant, filter, page)
  }

  /**
   * New terms apply from the next cycle on. An open invoice is voided when another amount, for another quantity, or a
   * period of another length is now to be paid, or another end holds; that of an overdue period is written again. 409
   * INVALID_STATE_TRANSITION once it has ended, while other terms are scheduled, or when it is not as `expected` any more.
   */
  async update(
    scope: Scope & By,
    id: string,
    change: SubscriptionChange,
    expected: Partial<SubscriptionRow> = {}
  ): Promise<SubscriptionRow> {
    return this.change(scope, id, async (sql, row) => {
      requireUnchanged(row, expected)
      if (row.status === "CANCELLED" || row.status === "EXPIRED") {
        throw new GatewayError(
          "INVALID_STATE_TRANSITION",
          messageOf("refusal.subscription_not_changeable", { state: row.status })
        )
      }
      const { amount, unit_amount, quantity, meta_data, billing_cycles, ends_at, former_end, ...interval } = change
      const terms = { ...interval, ...changedPrice(row, { amount, unit_amount, quantity }) }
      requireNothingScheduled(row, terms)
      const changedRow = changeTerms(row, terms)
      const next = former_end
        ? { ...changedRow, ...former_end }
        : changeEnd(changedRow, { billing_cycles, ends_at }, scope.now)
      const record = await openRecord(sql, row)
      requireAgreedLength(row, next, record)
      // A period that is past due keeps its dates.
      const isOtherPeriod = row.status !== "PAST_DUE" && !isSameLength(openPeriod(row), row, next)
      const isOtherCost = !isDeepStrictEqual(costOf(row, record), costOf(next, record))
      const isOutdated = isOtherCost || isOtherPeriod || isOtherEnd(row, next, scope.now)
      if (isOutdated) {
        await this.invoices.voidOpen(sql, [{ id: row.id, at: scope.now }])
      }
      await saveSubscriptions(sql, [{ from: row.status, next }])
      if (isOutdated && next.status === "PAST_DUE") {
        await emit(sql, await this.payments.invoiceOpen(sql, next, scope.now))
      }
      if (meta_data !== undefined) {
        await sql.query("UPDATE gateway_subscription SET meta_data = $2 WHERE id = $1", [row.id, json(meta_data)])
      }
      const changed = { ...next, meta_data: meta_data ?? row.meta_data }
      await auditSubscription(sql, scope, "subscription.updated", row, changed)
      return changed
    })
  }

  /** Only an active one (contract 3.1). */
  async pause(scope: Scope & By, id: string): Promise<SubscriptionRow> {
    return this.move(scope, id, "subscription.paused", (row) => pause(row, scope.now))
  }

  /** Billing continues with the days that were left. */
  async resume(scope: Scope & By, id: string): Promise<SubscriptionRow> {
    return this.move(scope, id, "subscription.resumed", (row) => resume(row, scope.now))
  }

  async cancel(scope: Scope & By, id: string, requested: Cancellation): Promise<SubscriptionRow> {
    return this.move(scope, id, "subscription.cancelled", (row) => cancel(row, scope.now, requested))
  }

  /**
   * Undoes a cancellation until it takes effect, and charges nothing itself: an overdue payment gets its invoice again
   * and keeps its retries. A payment method that was removed meanwhile is not charged again. One that is not cancelled
   * is answered as it is. INVALID_STATE_TRANSITION for one that has ended.
   */
  async uncancel(scope: Scope & By, id: string): Promise<SubscriptionRow> {
    const step = async (sql: Sql, row: SubscriptionRow) => {
      if (row.status !== "CANCELLED" && row.status !== "EXPIRED") {
        // Its dead worker's charge may have gone to the reconciler a moment ago.
        await saveSubscriptions(sql, [{ from: row.status, next: row }])
        return row
      }
      const { now } = scope
      const { next: undone, emits } = uncancel(row, now, await this.payments.keptBy(sql, row, now))
      const mayCharge = undone.instrument_id !== null && (await lockUsable(sql, undone.instrument_id))
      const next = mayCharge ? undone : { ...undone, instrument_id: null }
      await saveSubscriptions(sql, [{ from: row.status, next }])
      await withdrawHook(sql, "subscriptionCancelled", row.id)
      const invoiced = next.status === "PAST_DUE" ? await this.payments.invoiceOpen(sql, next, now) : []
      await emit(sql, [...subscriptionEvents(next, emits, now), ...invoiced])
      await auditSubscription(sql, scope, "subscription.uncancelled", row, next)
      return next
    }
    return this.change(scope, id, step, scope)
  }

  private async move(
    scope: Scope & By,
    id: string,
    action: AuditAction,
    to: (row: SubscriptionRow) => Change<SubscriptionRow>
  ): Promise<SubscriptionRow> {
    const step = async (sql: Sql, row: SubscriptionRow) => {
      const { next, emits } = to(row)
      if (row.paused_at !== null) {
        await moveRecords(sql, row, pauseLength(row, scope.now))
      }
      if (next.status === "CANCELLED") {
        await this.invoices.voidOpen(sql, [{ id: row.id, at: scope.now }])
      }
      await saveSubscriptions(sql, [{ from: row.status, next }])
      await emit(sql, subscriptionEvents(next, emits, scope.now))
      await auditSubscription(sql, scope, action, row, next)
      return next
    }
    return this.change(scope, id, step, scope)
  }

  /**
   * Changes a subscription that is not being charged: no charge follows that was decided before. It waits for a charge
   * under way; one whose worker died goes to the reconciler. A request that is repeated (`once`) changes nothing.
   */
  async change(
    tenant: Tenant,
    id: string,
    work: (sql: Sql, row: SubscriptionRow) => Promise<SubscriptionRow>,
    once: By = {}
  ): Promise<SubscriptionRow> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
      const changed = await this.database.transaction(async (sql) => {
        const row = await findSubscription(sql, tenant, id, "FOR UPDATE OF s")
        const isDone = (await doneBefore(sql, once)) !== null
        if (row.charging && !isDone) {
          return null
        }
        return isDone ? row : work(sql, row.lock_token === null ? row : await this.payments.leaveToReconciler(sql, row))
      })
      if (changed !== null) {
        return changed
      }
      if (Date.now() > deadline) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.subscription_being_charged"))
      }
    }
  }
}
