import type { Database, Sql } from "../kernel/database/database"
import type { IntervalUnit } from "../kernel/money/calendar"
import { inOrder } from "../kernel/money/currencies"
import type { Minor } from "../kernel/money/money"
import type { SubscriptionState } from "../subscriptions/states"
import { boundsOf, monthlyRevenue, quartersOf, type Period } from "../kernel/database/counter-rules"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import { attention, type Attention } from "./attention"
import { acquirerFigures, type AcquirerFigures } from "./acquirers"
import { NO_BALANCES, type Balances } from "../ledger/rules"
import type { BalanceChange, LedgerService } from "../ledger/service"
import type { MissingSettlementService } from "../settlements/missing"

export type { Period } from "../kernel/database/counter-rules"

export type PaymentFigures = {
  outcome: "SUCCESS" | "FAILED" | "CANCELLED" | "EXPIRED"
  service: string
  count: number
  amount: Minor
  fees: Minor
}
type Counted = { count: number; amount: Minor }
type DayFigures = { day: number; paid: number; failed: number; amount: Minor; fees: Minor; refunded: Minor }

/** Every amount is in `currency`, and payments and refunds in other currencies are left out. */
export type Overview = {
  currency: string
  /** BDT, the shown one, and those in which there are payments: of the period, or money that has moved. */
  currencies: string[]
  /** Payments that ended within the period, by outcome and payment service. */
  payments: PaymentFigures[]
  /** Those of as many days before it. */
  payments_before: PaymentFigures[]
  /** `waiting`: for approval, or in a batch. */
  refunds: Counted & { waiting: Counted }
  days: DayFigures[]
  acquirers: AcquirerFigures[]
  balances: Balances
  change: BalanceChange
  subscriptions: {
    /** Counted in every currency, as `at_start`, `started` and `ended` are. */
    now: Partial<Record<SubscriptionState, number>>
    monthly_revenue: Minor
    /** Running subscriptions (ACTIVE, PAST_DUE, PAUSED) at the start of the period, and the changes within it. */
    at_start: number
    started: number
    ended: number
  }
  attention: Attention
  /** Payments that ended days ago and are in none of their acquirer's files. */
  unsettled: { source: string; count: number }[]
}

type Services = Cradle &
  WithAcquirers & { ledgerService: LedgerService; missingSettlementService: MissingSettlementService }

/**
 * Key figures of a merchant's business. Everything that grows is read from counters (models/merchants.ts), so the cost
 * depends on the quarters of an hour from the period's first until today, of subscriptions on those of all time, and not
 * on the number of payments.
 */
export class OverviewService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly ledger: LedgerService
  private readonly missing: MissingSettlementService

  constructor({ database, acquirerRegistry, ledgerService, missingSettlementService }: Services) {
    this.database = database
    this.acquirers = acquirerRegistry
    this.ledger = ledgerService
    this.missing = missingSettlementService
  }

  async read(tenant: Scope, period: Period, currency: string): Promise<Overview> {
    const everywhere = await paymentsByDay(this.database, tenant, period)
    const payments = everywhere.filter((figures) => figures.currency === currency)
    const before = await paymentsByDay(this.database, tenant, periodBefore(period))
    const refunds = await refundsByDay(this.database, tenant, period, currency)
    const subscriptions = await subscriptionFigures(this.database, tenant, period, currency)
    const past_due_subscriptions = subscriptions.now.PAST_DUE ?? 0
    const unsettled = await this.missing.late(tenant)
    const unsettled_payments = unsettled.reduce((sum, { count }) => sum + count, 0)
    const balances = await this.ledger.balancesByCurrency(tenant)
    return {
      currency,
      currencies: inOrder([currency, ...balances.keys(), ...everywhere.map((figures) => figures.currency)]),
      payments: byOutcomeAndService(payments),
      payments_before: byOutcomeAndService(before.filter((figures) => figures.currency === currency)),
      refunds: { ...counted(refunds), waiting: counted(refunds.map(({ waiting }) => waiting)) },
      days: byDay(period, payments, refunds),
      acquirers: await acquirerFigures(this.database, tenant, period, await this.acquirers.of(tenant), currency),
      balances: balances.get(currency) ?? NO_BALANCES,
      change: await this.ledger.change(tenant, currency, period),
      subscriptions,
      attention: { ...(await attention(this.database, tenant)), past_due_subscriptions, unsettled_payments },
      unsettled,
    }
  }
}

function periodBefore({ first, last, zone }: Period): Period {
  return { first: first - (last - first + 1), last: first - 1, zone }
}

type PaymentsOfDay = PaymentFigures & { day: number; currency: string }
type RefundsOfDay = Counted & { day: number; waiting: Counted }

function counted(parts: readonly Counted[]): Counted {
  const sum = (all: Counted, one: Counted) => ({ count: all.count + one.count, amount: all.amount + one.amount })
  return parts.reduce(sum, { count: 0, amount: 0n })
}

/** In every currency. */
async function paymentsByDay(sql: Sql, { merchant_id, environment }: Tenant, period: Period): Promise<PaymentsOfDay[]> {
  const rows = await sql.query<{
    day: number
    label: string
    currency: string
    count: number
    amount: string
    fees: string
  }>(
    `SELECT $6 + width_bucket(bucket, $5::int[]) - 1 AS day, label, currency, sum(count)::int AS count,
       sum(amount_minor)::text AS amount, sum(fee_minor)::text AS fees
     FROM gateway_counter
     WHERE merchant_id = $1 AND environment = $2 AND subject = 'payment' AND bucket >= $3 AND bucket < $4
     GROUP BY 1, label, currency HAVING sum(count) > 0 OR sum(amount_minor) <> 0`,
    [merchant_id, environment, ...boundsOf(period), quartersOf(period), period.first]
  )
  return rows.map(({ label, amount, fees, ...row }) => {
    const [outcome, service] = label.split(":") as [PaymentFigures["outcome"], string]
    return { ...row, outcome, service, amount: BigInt(amount), fees: BigInt(fees) }
  })
}

/**
 * Refunds requested within the period that are made or under way, and those that still wait; failed and cancelled ones
 * do not count.
 */
async function refundsByDay(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  period: Period,
  currency: string
): Promise<RefundsOfDay[]> {
  const rows = await sql.query<{ day: number; count: number; amount: string; waits: boolean }>(
    `SELECT $6 + width_bucket(bucket, $5::int[]) - 1 AS day, label = 'pending' AS waits, sum(count)::int AS count, sum(amount_minor)::text AS amount
     FROM gateway_counter
     WHERE merchant_id = $1 AND environment = $2 AND subject = 'refund' AND bucket >= $3 AND bucket < $4
       AND label IN ('pending', 'processing', 'completed') AND currency = $7
     GROUP BY 1, 2 HAVING sum(count) > 0`,
    [merchant_id, environment, ...boundsOf(period), quartersOf(period), period.first, currency]
  )
  const none: Counted = { count: 0, amount: 0n }
  return rows.map(({ day, count, amount, waits }) => {
    const sum = { count, amount: BigInt(amount) }
    return waits ? { day, ...none, waiting: sum } : { day, ...sum, waiting: none }
  })
}

async function subscriptionFigures(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  period: Period,
  currency: string
): Promise<Overview["subscriptions"]> {
  const rows = await sql.query<{
    subject: string
    label: string
    count: number
    amount: string
    before: number
    within: number
  }>(
    `SELECT subject, label, sum(count)::int AS count, sum(amount_minor)::text AS amount,
            (COALESCE(sum(count) FILTER (WHERE bucket < $3), 0))::int AS before,
            (COALESCE(sum(count) FILTER (WHERE bucket >= $3 AND bucket < $4), 0))::int AS within
     FROM gateway_counter
     WHERE merchant_id = $1 AND environment = $2 AND subject IN ('subscription', 'recurring', 'started', 'ended')
       AND currency IN ('', $5)
     GROUP BY subject, label`,
    [merchant_id, environment, ...boundsOf(period), currency]
  )
  const of = (subject: string) => rows.filter((row) => row.subject === subject)
  const total = (subject: string, part: "before" | "within") => of(subject).reduce((sum, row) => sum + row[part], 0)
  const groups = of("recurring").map(({ label, amount }) => {
    const [count, unit] = label.split(":")
    return { interval_count: Number(count), interval_unit: unit as IntervalUnit, amount: BigInt(amount) }
  })
  return {
    now: Object.fromEntries(of("subscription").map(({ label, count }) => [label, count])),
    monthly_revenue: monthlyRevenue(groups),
    at_start: total("started", "before") - total("ended", "before"),
    started: total("started", "within"),
    ended: total("ended", "within"),
  }
}

function byOutcomeAndService(payments: readonly PaymentsOfDay[]): PaymentFigures[] {
  const sums = new Map<string, PaymentFigures>()
  for (const { outcome, service, count, amount, fees } of payments) {
    const key = `${outcome}:${service}`
    const sum = sums.get(key) ?? { outcome, service, count: 0, amount: 0n, fees: 0n }
    sums.set(key, { ...sum, count: sum.count + count, amount: sum.amount + amount, fees: sum.fees + fees })
  }
  return [...sums.values()].sort((left, right) => right.count - left.count || (left.service < right.service ? -1 : 1))
}

/** Every day of the period, with or without payments. */
function byDay(
  { first, last }: Period,
  payments: readonly PaymentsOfDay[],
  refunds: readonly RefundsOfDay[]
): DayFigures[] {
  const days = Array.from({ length: last - first + 1 }, (_, index): DayFigures => {
    return { day: first + index, paid: 0, failed: 0, amount: 0n, fees: 0n, refunded: 0n }
  })
  for (const { day, outcome, count, amount, fees } of payments) {
    const figures = days[day - first]
    if (outcome === "SUCCESS") {
      Object.assign(figures, { paid: figures.paid + count, amount: figures.amount + amount, fees: figures.fees + fees })
    } else if (outcome === "FAILED") {
      figures.failed += count
    }
  }
  for (const { day, amount } of refunds) {
    days[day - first].refunded += amount
  }
  return days
}
