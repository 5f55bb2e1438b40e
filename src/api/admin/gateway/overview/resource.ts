import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../i18n/message"
import { dayNumber, dayText } from "../../../../i18n/days"
import { dayOfDate, percentText } from "../../../../modules/gateway/kernel/database/counter-rules"
import { fault, validationError } from "../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import { divideHalfUp, formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { BalanceChange } from "../../../../modules/gateway/ledger/service"
import type { Merchant } from "../../../../modules/gateway/merchants/service"
import type { AcquirerFigures, ServiceFigures } from "../../../../modules/gateway/reporting/acquirers"
import { LATE_DAYS } from "../../../../modules/gateway/settlements/rules"
import type { Overview, PaymentFigures, Period } from "../../../../modules/gateway/reporting/overview"
import { presentBalances } from "../../../api/v2/payments/balance/resource"
import type { AdminTenant } from "../../../admin-kit/endpoint"
import type { JsonObject } from "../../../v2-kit/body"
import { date, parse, rule, withoutAbsent } from "../../../v2-kit/validate"

/** Amounts and percentages are text; a percentage of zero payments is null. */
export function presentOverview({ first, last, zone }: Period, overview: Overview) {
  const { currency, currencies, payments, payments_before, refunds, days, acquirers, balances } = overview
  const { change, subscriptions, attention, unsettled } = overview
  return {
    from: dayText(first),
    to: dayText(last),
    time_zone: zone,
    currency,
    currencies,
    payments: { ...successes(payments), ...outcomes(payments) },
    payments_before: { ...successes(payments_before), ...outcomes(payments_before) },
    methods: methods(payments),
    acquirers: acquirers.map(presentAcquirer),
    refunds: {
      count: refunds.count,
      amount: formatAmount(refunds.amount),
      waiting: { count: refunds.waiting.count, amount: formatAmount(refunds.waiting.amount) },
    },
    balance: presentBalances(currency, balances),
    balance_change: presentChange(change),
    subscriptions: presentSubscriptions(subscriptions),
    attention,
    attention_max: LIMITS.attentionMax,
    unsettled: unsettled.map(({ source, count }) => ({ source, count, days: LATE_DAYS })),
    days: days.map(({ day, paid, failed, amount, fees, refunded }) => {
      return {
        date: dayText(day),
        paid,
        failed,
        amount: formatAmount(amount),
        fees: formatAmount(fees),
        refunded: formatAmount(refunded),
      }
    }),
  }
}

/** `opening` + `volume` - all between = `closing`, as the ledger has them. What came back is negative. */
function presentChange({ opening, volume, fees, refunds, disputes, dispute_fees, payouts, closing }: BalanceChange) {
  return {
    opening: formatAmount(opening),
    volume: formatAmount(volume),
    fees: formatAmount(fees),
    refunds: formatAmount(refunds),
    disputes: formatAmount(disputes),
    dispute_fees: formatAmount(dispute_fees),
    payouts: formatAmount(payouts),
    closing: formatAmount(closing),
  }
}

function successes(payments: readonly PaymentFigures[]) {
  const paid = payments.filter(({ outcome }) => outcome === "SUCCESS")
  const sum = (of: "amount" | "fees") => formatAmount(paid.reduce((total, figures) => total + figures[of], 0n))
  return { amount: sum("amount"), fees: sum("fees") }
}

/** Cancelled and expired payments were not declined: the rate is of those that an acquirer has answered. */
function outcomes(payments: readonly PaymentFigures[]) {
  const count = (outcome: PaymentFigures["outcome"]) =>
    payments.reduce((total, figures) => total + (figures.outcome === outcome ? figures.count : 0), 0)
  const [paid, failed] = [count("SUCCESS"), count("FAILED")]
  return {
    paid,
    failed,
    cancelled: count("CANCELLED"),
    expired: count("EXPIRED"),
    success_percent: percentText(paid, paid + failed),
  }
}

/**
 * The rate is of the payments that the acquirer was asked for and the shopper did not leave; milliseconds are bounds
 * within which answers came. `cost`, and what it is of the amount, by what was agreed with the acquirer.
 */
function presentAcquirer({ services, outage, ...figures }: AcquirerFigures) {
  return {
    ...figures,
    success_percent: successPercent(figures),
    services: services.map(({ amount, cost, ...of }) => ({
      ...of,
      success_percent: successPercent(of),
      amount: formatAmount(amount),
      cost: cost === null ? null : formatAmount(cost),
      cost_percent: cost === null ? null : costPercent(cost, amount),
    })),
    outage: outage && { since: outage.since.toISOString(), cause: outage.cause },
  }
}

function successPercent({ paid, declined, passed_on }: ServiceFigures): string | null {
  return percentText(paid, paid + declined + passed_on)
}

/** With two decimals, "1.85"; null when nothing was paid. */
function costPercent(cost: bigint, amount: bigint): string | null {
  return amount === 0n ? null : formatAmount(divideHalfUp(cost * 10_000n, amount))
}

/** By payment service, the most used first; payments without a chosen service are left out. */
function methods(payments: readonly PaymentFigures[]) {
  const services = [...new Set(payments.map(({ service }) => service))].filter((service) => service !== "")
  return services
    .map((service) => {
      const own = payments.filter((figures) => figures.service === service)
      const amount = own.reduce((total, figures) => total + (figures.outcome === "SUCCESS" ? figures.amount : 0n), 0n)
      return { service, amount: formatAmount(amount), ...outcomes(own) }
    })
    .sort((left, right) => right.paid + right.failed - left.paid - left.failed)
}

function presentSubscriptions({ now, monthly_revenue, at_start, started, ended }: Overview["subscriptions"]) {
  return {
    active: now.ACTIVE ?? 0,
    trialing: now.TRIALING ?? 0,
    past_due: now.PAST_DUE ?? 0,
    paused: now.PAUSED ?? 0,
    monthly_recurring_revenue: formatAmount(monthly_revenue),
    at_start,
    started,
    ended,
    churn_percent: percentText(ended, at_start + started),
  }
}

const DAYS_DEFAULT = 30
const DAYS_MAX = 366

const WRONG_DAYS = rule("whole_number_within", { min: 1, max: DAYS_MAX })
const schema = z.object({
  from: date.optional(),
  to: date.optional(),
  days: z
    .string()
    .regex(/^[0-9]{1,3}$/, WRONG_DAYS)
    .transform(Number)
    .refine((days) => days >= 1 && days <= DAYS_MAX, WRONG_DAYS)
    .default(DAYS_DEFAULT),
})

/**
 * Days of the merchant's time zone, both inclusive. Without `from`: the given number of `days` up to `to`; without `to`: up to
 * today. Errors: VALIDATION_ERROR.
 */
export function readPeriod(
  query: JsonObject,
  { now, time_zone: zone }: Pick<AdminTenant, "now" | "time_zone">
): Period {
  const { from, to, days } = parse(schema, withoutAbsent(query, []))
  const last = to === undefined ? dayNumber(now, zone) : dayOfDate(to)
  const first = from === undefined ? last - days + 1 : dayOfDate(from)
  if (first > last) {
    throw validationError([fault("from", messageOf("rule.not_after", { field: "to" }))])
  }
  if (last - first >= DAYS_MAX) {
    throw validationError([fault("from", messageOf("rule.days_before", { days: DAYS_MAX, field: "to" }))])
  }
  return { first, last, zone }
}

/** Where a merchant's settings note that the checklist is not wanted any more. */
const DISMISSED = "first_steps_dismissed"

type Settings = Pick<Merchant, "settings">

export function isDismissed({ settings }: Settings): boolean {
  return settings[DISMISSED] === true
}

export function dismissed({ settings }: Settings): Settings {
  return { settings: { ...settings, [DISMISSED]: true } }
}
