import { Conditions } from "../kernel/database/conditions"
import type { Database } from "../kernel/database/database"
import { pageWithTotals, sumOf, type Page, type Window } from "../kernel/database/paging"
import { LIMITS } from "../kernel/limits"
import type { Environment } from "../kernel/money/clock"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import { calendarOf } from "./month-lock"
import { boundsOf } from "./month-calendar"
import { LATE_DAYS } from "./rules"

/** A payment that no line is; `finished_at` is on the merchant's clock. */
export type MissingPayment = {
  id: string
  order_id: string
  acquirer_reference: string
  payment_service: string
  currency: string
  amount_minor: number
  finished_at: Date
}

/**
 * `before`: what ended earlier should be in a file by now. `month`: what ended by its end; what is settled in a later one
 * is missing too.
 */
type MissingUntil = { before: Date; month?: undefined } | { month: string }
type MissingFilter = MissingUntil & {
  source: string
  from?: Date
  to?: Date
  order: { descending: boolean }
}

const NO_LINE = "NOT EXISTS (SELECT 1 FROM gateway_settlement_line l WHERE l.subject = 'payment:' || t.id"
const COLUMNS = "t.id, t.order_id, t.acquirer_reference, t.payment_service, t.currency, t.amount_minor, t.finished_at"
const SUMS = { currency: "t.currency", amounts: [sumOf("amount", "t.amount_minor", "true")] }

/** Older payments raise no alert: the list of missing payments still has them. In days. */
const TOLD_DAYS = 90

const late = (tenant: string, now: string) => `
  SELECT s.source, s.environment, (SELECT count(*)::int FROM (
      SELECT 1 FROM gateway_transaction t
      WHERE t.merchant_id = s.merchant_id AND t.environment = s.environment AND t.acquirer = s.source
        AND t.state IN ('SUCCESS', 'REFUNDED') AND t.created_at >= now() - interval '${TOLD_DAYS} days'
        AND t.finished_at >= s.first AND t.finished_at < ${now} - interval '${LATE_DAYS} days' AND ${NO_LINE}) LIMIT ${LIMITS.attentionMax}) late) AS count
  FROM (SELECT f.source, f.merchant_id, f.environment, (SELECT min(l.occurred_at) FROM gateway_settlement_line l
        WHERE l.merchant_id = f.merchant_id AND l.environment = f.environment AND l.source = f.source) AS first
      FROM (SELECT DISTINCT source, merchant_id, environment FROM gateway_settlement_import WHERE ${tenant}) f) s
  JOIN gateway_merchant_environment e ON e.merchant_id = s.merchant_id AND e.environment = s.environment`

const LATE_OF_TENANT = `${late("merchant_id = $1 AND environment = $2", "$3::timestamptz")} ORDER BY s.source`
const LATE_EVERYWHERE = `SELECT source, environment, sum(count)::int AS count
  FROM (${late("true", "(now() + e.clock_offset_seconds * interval '1 second')")}) late GROUP BY 1, 2`

/** Payments of a source that no line is though they ended some days ago, up to LIMITS.attentionMax of each merchant. */
export type LatePayments = { source: string; environment: Environment; count: number }

/** Successful payments that are in none of their acquirer's files (decisions: Settlements). */
export class MissingSettlementService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** How many payments of each source of a merchant need somebody, those of the last 90 days. */
  async late({ merchant_id, environment, now }: Scope): Promise<LatePayments[]> {
    const rows = await this.database.query<LatePayments>(LATE_OF_TENANT, [merchant_id, environment, now])
    return rows.filter(({ count }) => count > 0)
  }

  /** The same of all merchants, for the metrics. */
  async lateEverywhere(): Promise<LatePayments[]> {
    return this.database.query<LatePayments>(LATE_EVERYWHERE)
  }

  /**
   * A window of the payments of a source that ended before a moment, and not before the source's first line: without
   * lines nothing is missing; with a month, not before the month of the first line. `from` and `to` are about when they ended.
   */
  async list(tenant: Tenant, filter: MissingFilter, window: Window): Promise<Page<MissingPayment>> {
    const { merchant_id, environment } = tenant
    const { source, month, from, to, order } = filter
    const { begin, before } = await this.period(tenant, filter)
    const conditions = new Conditions("t.merchant_id = ? AND t.environment = ?", merchant_id, environment)
      .add("t.acquirer = ? AND t.state IN ('SUCCESS', 'REFUNDED') AND t.finished_at < ?", source, before)
      .add("t.finished_at >= ?::timestamptz", begin)
      .add(
        month === undefined ? `${NO_LINE})` : `${NO_LINE} AND l.month <= ?)`,
        ...(month === undefined ? [] : [month])
      )
      .when(from, "t.finished_at >= ?")
      .when(to, "t.finished_at < ?")
    const direction = order.descending ? "DESC" : "ASC"
    const { where, values } = conditions
    return pageWithTotals<MissingPayment>(
      this.database,
      {
        table: "gateway_transaction t",
        where,
        values,
        order: `t.created_at ${direction}, t.id ${direction}`,
        key: "t.created_at, t.id",
        columns: COLUMNS,
        sums: SUMS,
      },
      window
    )
  }

  /** `begin`: null of a source without lines. */
  private async period(tenant: Tenant, filter: MissingFilter): Promise<{ begin: Date | null; before: Date }> {
    const { source } = filter
    const [first] = await this.database.query<{ at: Date | null; month: string | null }>(
      `SELECT min(occurred_at) AS at, min(month) AS month FROM gateway_settlement_line
       WHERE merchant_id = $1 AND environment = $2 AND source = $3`,
      [tenant.merchant_id, tenant.environment, source]
    )
    if (filter.month === undefined) {
      return { begin: first.at, before: filter.before }
    }
    const calendar = await calendarOf(this.database, tenant, source)
    const begin = first.month === null ? null : boundsOf(first.month, calendar).from
    return { begin, before: boundsOf(filter.month, calendar).to }
  }
}
