import { asciiDigits } from "../../../i18n/typed"
import { addSeconds } from "../kernel/money/clock"
import type { Database } from "../kernel/database/database"
import { Conditions } from "../kernel/database/conditions"
import { GatewayError } from "../kernel/errors"
import { pageWithTotals, sumOf, type Page, type Window } from "../kernel/database/paging"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import { normalisePhone } from "../kernel/text/phone"
import type { CashFilter } from "./rules"
import { CASH_ORDER_COLUMNS, type CashOrder } from "./records"
import type { CashSettingService } from "./settings"
import { CASH_OPEN } from "./states"

type ListFilter = {
  q?: string
  status?: CashFilter
  district?: string
  from?: Date
  to?: Date
  order: { descending: boolean }
}

/** Of one currency, in its hundredths. Refusals are counted among the orders of the period that are over. */
export type CashSummary = {
  due_minor: string
  due_count: number
  late_minor: string
  late_count: number
  collected_minor: string
  districts: { district: string; refused: number; ended: number }[]
  /** `from` inclusive, `to` exclusive; null: until now. */
  period: { from: Date; to: Date | null }
}

const DAY_SECONDS = 86_400
const SUMMARY_DAYS = 30
const DISTRICTS_MAX = 10
const DUE = "o.total_minor - o.advance_minor - o.collected_minor - o.given_up_minor"
const IS_OPEN = "o.state IN ('due', 'part_collected')"

/** Lists of cash orders, the last placed first. */
export class CashListService {
  private readonly database: Database
  private readonly settings: CashSettingService

  constructor({ database, cashSettingService }: Cradle & { cashSettingService: CashSettingService }) {
    this.database = database
    this.settings = cashSettingService
  }

  /** A window of the admin's list; `q` is an order's number or id, a phone, or the id of one. */
  async list(scope: Scope, filter: ListFilter, window: Window): Promise<Page<CashOrder>> {
    const conditions = new Conditions(
      "o.merchant_id = ? AND o.environment = ? AND o.placed_at IS NOT NULL",
      scope.merchant_id,
      scope.environment
    )
      .when(filter.from, "o.placed_at >= ?")
      .when(filter.to, "o.placed_at < ?")
      .when(filter.district, "lower(o.district) = lower(?)")
    const { status, q } = filter
    if (status === "due" || status === "late") {
      conditions.oneOf("o.state", CASH_OPEN)
    } else if (status === "stuck") {
      conditions.add("o.stuck_since IS NOT NULL")
    } else {
      conditions.when(status, "o.state = ?")
    }
    if (status === "late") {
      conditions.add("o.placed_at < ?", await this.lateBefore(scope))
    }
    if (q !== undefined) {
      const named = asciiDigits(q.trim())
      const values = [named.replace(/^#\s*/, ""), named, normalisePhone(named) ?? named, named]
      conditions.add("(o.order_number = ? OR o.order_id = ? OR o.phone = ? OR o.id = ?)", ...values)
    }
    const direction = filter.order.descending ? "DESC" : "ASC"
    const { where, values } = conditions
    return pageWithTotals<CashOrder>(
      this.database,
      {
        table: "gateway_cash_order o",
        where,
        values,
        order: `o.placed_at ${direction}, o.id ${direction}`,
        key: "o.placed_at, o.id",
        columns: CASH_ORDER_COLUMNS,
        sums: {
          currency: "o.currency",
          amounts: [sumOf("due", DUE, IS_OPEN), sumOf("collected", "o.collected_minor", "true")],
        },
      },
      window
    )
  }

  /** Throws CASH_ORDER_NOT_FOUND, for another tenant's too. */
  async one({ merchant_id, environment }: Tenant, id: string): Promise<CashOrder> {
    const [row] = await this.database.query<CashOrder>(
      `SELECT ${CASH_ORDER_COLUMNS} FROM gateway_cash_order o
       WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND placed_at IS NOT NULL`,
      [id, merchant_id, environment]
    )
    if (row === undefined) {
      throw new GatewayError("CASH_ORDER_NOT_FOUND")
    }
    return row
  }

  /** Those of these ids that the tenant has. */
  async some({ merchant_id, environment }: Tenant, ids: readonly string[]): Promise<CashOrder[]> {
    return this.database.query<CashOrder>(
      `SELECT ${CASH_ORDER_COLUMNS} FROM gateway_cash_order o
       WHERE id = ANY($1) AND merchant_id = $2 AND environment = $3 AND placed_at IS NOT NULL`,
      [[...ids], merchant_id, environment]
    )
  }

  /**
   * What is due and late now; and of a period, by default the last 30 days, what came, and how many of the orders that
   * were placed in it are over and were refused, most refused districts first.
   */
  async summary(scope: Scope, currency: string, { from, to }: { from?: Date; to?: Date }): Promise<CashSummary> {
    const own = [scope.merchant_id, scope.environment, currency]
    const [due] = await this.database.query<Pick<CashSummary, "due_minor" | "due_count" | "late_minor" | "late_count">>(
      `SELECT COALESCE(sum(${DUE}), 0)::text AS due_minor, count(*)::int AS due_count,
              COALESCE(sum(${DUE}) FILTER (WHERE o.placed_at < $4), 0)::text AS late_minor,
              count(*) FILTER (WHERE o.placed_at < $4)::int AS late_count
       FROM gateway_cash_order o
       WHERE o.merchant_id = $1 AND o.environment = $2 AND o.currency = $3 AND ${IS_OPEN}`,
      [...own, await this.lateBefore(scope)]
    )
    const period = { from: from ?? addSeconds(to ?? scope.now, -SUMMARY_DAYS * DAY_SECONDS), to: to ?? null }
    const within = [...own, period.from, period.to]
    const [came] = await this.database.query<{ collected_minor: string }>(
      `SELECT COALESCE(sum(c.amount_minor), 0)::text AS collected_minor
       FROM gateway_cash_collection c
       WHERE c.merchant_id = $1 AND c.environment = $2 AND c.currency = $3
         AND c.collected_at >= $4 AND ($5::timestamptz IS NULL OR c.collected_at < $5)`,
      within
    )
    const districts = await this.database.query<CashSummary["districts"][number]>(
      `SELECT o.district, count(*) FILTER (WHERE o.state = 'refused')::int AS refused, count(*)::int AS ended
       FROM gateway_cash_order o
       WHERE o.merchant_id = $1 AND o.environment = $2 AND o.currency = $3
         AND o.placed_at >= $4 AND ($5::timestamptz IS NULL OR o.placed_at < $5)
         AND o.state IN ('collected', 'refused') AND o.district IS NOT NULL
       GROUP BY o.district ORDER BY count(*) FILTER (WHERE o.state = 'refused') DESC, count(*) DESC, o.district LIMIT $6`,
      [...within, DISTRICTS_MAX]
    )
    return { ...due, ...came, districts, period }
  }

  /** An open order that was placed before this moment of the merchant's clock is late. */
  async lateBefore(scope: Scope): Promise<Date> {
    const { late_after_days } = await this.settings.retrieve(scope)
    return addSeconds(scope.now, -late_after_days * DAY_SECONDS)
  }
}
