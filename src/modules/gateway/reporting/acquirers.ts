import { dayText } from "../../../i18n/days"
import { answeredWithin, boundsOf, type Period } from "../kernel/database/counter-rules"
import type { Sql } from "../kernel/database/database"
import type { Minor } from "../kernel/money/money"
import type { Tenant } from "../kernel/types"
import type { Outage } from "../acquirers/health"
import type { AcquirerSet } from "../acquirers/registry"
import { agreementOn, feesBy, type FeeAgreement } from "../settlements/rules"
import { IS_OPEN } from "../payments/attempt-states"

/**
 * How an acquirer has served payments of a merchant. `left`: attempts that the shopper gave up; they are no answer of
 * its. `passed_on`: it opened no page, and the next acquirer was asked.
 */
export type ServiceFigures = {
  paid: number
  declined: number
  passed_on: number
  left: number
  /** Within how many milliseconds half of its first answers came, and 95 of 100; null: nothing was measured. */
  median_ms: number | null
  p95_ms: number | null
}
/** `amount`: what was paid, in the currency of the overview; `cost`: what was agreed to be kept of it; null: nothing was. */
type Costed = ServiceFigures & { service: string; amount: Minor; cost: Minor | null }

/** An acquirer as a whole, and by payment service. */
export type AcquirerFigures = ServiceFigures & {
  acquirer: string
  services: Costed[]
  /** At this moment, not in the period. */
  in_doubt: number
  /** `down`: it cannot begin payments; `off`: it takes no new payments; `gone`: it is not configured. */
  state: "up" | "down" | "off" | "gone"
  /** Since when and why it is down; null: it is not. */
  outage: Pick<Outage, "since" | "cause"> | null
}

type Outcome = "paid" | "declined" | "passed_on" | "left"
/** `own`: of `count`, those in the currency of `amount`. */
type Counted = {
  outcome: Outcome
  bucket: number
  service: string
  acquirer: string
  count: number
  own: number
  amount: Minor
}

/**
 * Attempts in doubt: the acquirer was asked, and did not know yet; a shopper on its page is in doubt once the session's
 * time is up. Walks a partial index of few rows.
 */
const IN_DOUBT = `
  FROM gateway_payment_attempt a
  JOIN gateway_transaction t ON t.id = a.transaction_id
  JOIN gateway_merchant_environment e ON e.merchant_id = a.merchant_id AND e.environment = a.environment
  WHERE a.inquiry_count > 0 AND a.${IS_OPEN}
    AND (a.state <> 'REDIRECTED' OR t.expires_at <= now() + e.clock_offset_seconds * interval '1 second')`

/** The attempts in doubt of all merchants, by acquirer. */
export function attemptsInDoubt(sql: Sql): Promise<{ acquirer: string; count: number }[]> {
  return sql.query<{ acquirer: string; count: number }>(
    `SELECT a.acquirer, count(*)::int AS count ${IN_DOUBT} GROUP BY a.acquirer`
  )
}

/**
 * Each acquirer that is configured or was used within the period, by its name. Amounts and costs are of `currency`; the
 * costs by the agreements of the period's last day.
 */
export async function acquirerFigures(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  period: Period,
  configured: AcquirerSet,
  currency: string
): Promise<AcquirerFigures[]> {
  const rows = await sql.query<{ label: string; count: number; own: number; amount: string }>(
    `SELECT label, sum(count)::int AS count, COALESCE(sum(count) FILTER (WHERE currency = $5), 0)::int AS own,
       COALESCE(sum(amount_minor) FILTER (WHERE currency = $5), 0)::text AS amount
     FROM gateway_counter
     WHERE merchant_id = $1 AND environment = $2 AND subject = 'attempt' AND bucket >= $3 AND bucket < $4
     GROUP BY label HAVING sum(count) > 0`,
    [merchant_id, environment, ...boundsOf(period), currency]
  )
  const doubtful = await sql.query<{ acquirer: string; count: number }>(
    `SELECT a.acquirer, count(*)::int AS count ${IN_DOUBT} AND a.merchant_id = $1 AND a.environment = $2 GROUP BY a.acquirer`,
    [merchant_id, environment]
  )
  const agreements = await sql.query<FeeAgreement & { source: string }>(
    `SELECT source, payment_service, valid_from, rate_basis_points, fixed_minor, vat_basis_points
     FROM gateway_fee_agreement WHERE merchant_id = $1 AND environment = $2`,
    [merchant_id, environment]
  )
  const counted = rows.map(({ label, count, own, amount }): Counted => {
    const [outcome, bucket, service, ...acquirer] = label.split(":")
    return {
      outcome: outcome as Outcome,
      bucket: Number(bucket),
      service,
      acquirer: acquirer.join(":"),
      count,
      own,
      amount: BigInt(amount),
    }
  })
  const { states } = configured
  const names = new Set([...states, ...counted, ...doubtful].map(({ acquirer }) => acquirer))
  return [...names].sort().map((acquirer) => {
    const own = counted.filter((one) => one.acquirer === acquirer)
    const agreed = agreements.filter(({ source }) => source === acquirer)
    const state = states.filter((one) => one.acquirer === acquirer)
    const outage = state.find((one) => !one.is_off && one.outage !== null)?.outage ?? null
    return {
      acquirer,
      ...figuresOf(own),
      services: [...new Set(own.map(({ service }) => service))].sort().map((service) => {
        const part = own.filter((one) => one.service === service)
        const amount = part.reduce((sum, one) => sum + one.amount, 0n)
        const paid = part.reduce((sum, { outcome, own: count }) => sum + (outcome === "paid" ? count : 0), 0)
        return {
          service,
          ...figuresOf(part),
          amount,
          cost: costOf({ service, paid, amount, currency, last: period.last }, agreed),
        }
      }),
      in_doubt: doubtful.find((one) => one.acquirer === acquirer)?.count ?? 0,
      state: stateOf(state),
      outage: outage && { since: outage.since, cause: outage.cause },
    }
  })
}

function figuresOf(counted: readonly Counted[]): ServiceFigures {
  const sum = (outcome: Outcome) => counted.reduce((all, one) => all + (one.outcome === outcome ? one.count : 0), 0)
  const answers = new Map<number, number>()
  counted.forEach(({ bucket, count }) => answers.set(bucket, (answers.get(bucket) ?? 0) + count))
  return {
    paid: sum("paid"),
    declined: sum("declined"),
    passed_on: sum("passed_on"),
    left: sum("left"),
    median_ms: answeredWithin(answers, 0.5),
    p95_ms: answeredWithin(answers, 0.95),
  }
}

type Paid = { service: string; paid: number; amount: Minor; currency: string; last: number }

/** What the acquirer keeps of what was paid, with the tax; null: nothing was agreed. */
function costOf({ service, paid, amount, currency, last }: Paid, agreements: readonly FeeAgreement[]): Minor | null {
  const agreed = agreementOn(dayText(last), service, agreements)
  if (agreed === null) {
    return null
  }
  const { fee, vat } = feesBy(agreed, { amount, currency, count: paid })
  return fee + vat
}

/** A merchant may reach an acquirer by its own account and by the deployment's. */
function stateOf(states: AcquirerSet["states"]): AcquirerFigures["state"] {
  const on = states.filter(({ is_off }) => !is_off)
  if (on.length === 0) {
    return states.length === 0 ? "gone" : "off"
  }
  return on.some(({ outage }) => outage === null) ? "up" : "down"
}
