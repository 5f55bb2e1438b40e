import { Conditions } from "../kernel/database/conditions"
import type { Database } from "../kernel/database/database"
import { pageWithTotals, sumOf, type Page, type Window } from "../kernel/database/paging"
import type { Cradle, Tenant } from "../kernel/types"

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

type MissingFilter = {
  source: string
  /** What ended before it should be in a file by now. */
  before: Date
  /** What is settled in a later month than this is missing too. */
  month?: string
  from?: Date
  to?: Date
  order: { descending: boolean }
}

const NO_LINE = "NOT EXISTS (SELECT 1 FROM gateway_settlement_line l WHERE l.subject = 'payment:' || t.id"
const COLUMNS = "t.id, t.order_id, t.acquirer_reference, t.payment_service, t.currency, t.amount_minor, t.finished_at"
const SUMS = { currency: "t.currency", amounts: [sumOf("amount", "t.amount_minor", "true")] }

/** Successful payments that are in none of their acquirer's files (decisions: Settlements). */
export class MissingSettlementService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /**
   * A window of the payments of a source that ended before a moment, and not before the source's first line: without
   * lines nothing is missing. `from` and `to` are about when they ended.
   */
  async list(tenant: Tenant, filter: MissingFilter, window: Window): Promise<Page<MissingPayment>> {
    const { merchant_id, environment } = tenant
    const { source, before, month, from, to, order } = filter
    const conditions = new Conditions("t.merchant_id = ? AND t.environment = ?", merchant_id, environment)
      .add("t.acquirer = ? AND t.state IN ('SUCCESS', 'REFUNDED') AND t.finished_at < ?", source, before)
      .add(
        `t.finished_at >= (SELECT min(f.occurred_at) FROM gateway_settlement_line f
           WHERE f.merchant_id = ? AND f.environment = ? AND f.source = ?)`,
        merchant_id,
        environment,
        source
      )
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
}
