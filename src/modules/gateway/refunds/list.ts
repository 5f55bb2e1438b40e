import type { RefundHold, RefundType } from "./rules"
import type { RefundState } from "./states"
import type { Database } from "../kernel/database/database"
import { Conditions } from "../kernel/database/conditions"
import { pageWithTotals, sumOf, type Page, type Window } from "../kernel/database/paging"
import { countedPlace, placeInTime } from "../kernel/database/counters"
import { idsAndPayments, spellings } from "../kernel/database/numbered-lists"
import type { Cradle, Tenant } from "../kernel/types"
import { FAILED_REFUND } from "../payments/states"
import { REFUND_COLUMNS, type Refund } from "./records"

/** Each given member narrows the list. `from` is inclusive, `before` exclusive, on the merchant's clock. */
export type RefundFilter = {
  /** The id of a refund, a transaction or a batch, the acquirer's number of a refund, or an order's. */
  q?: string
  state?: RefundState
  /** Any of these states. */
  states?: readonly RefundState[]
  type?: RefundType
  held_for?: RefundHold
  /** What waits for an admin. */
  attention?: RefundAttention
  from?: Date
  before?: Date
}

type RefundAttention = "unresolved" | "failed"

const ATTENTION: Readonly<Record<RefundAttention, string>> = {
  // Only the acquirer's own dashboard shows what became of it.
  unresolved: "r.state = 'processing' AND r.operator_since IS NOT NULL",
  failed: FAILED_REFUND,
}

const SUMS = {
  currency: "r.currency",
  amounts: [
    sumOf("amount", "r.amount_minor", "r.state IN ('processing', 'completed')"),
    sumOf("waiting_amount", "r.amount_minor", "r.state = 'pending'"),
  ],
}

/** Lists of refunds, newest first, along the index of merchant, environment and time. */
export class RefundListService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** A page and the total number (contract 4.8). */
  async page(
    tenant: Tenant,
    filter: RefundFilter,
    page: { per_page: number; offset: number }
  ): Promise<{ rows: Refund[]; total: number }> {
    const conditions = conditionsOf(tenant, filter)
    const { total, skip } = await this.placeIn(tenant, filter, conditions, page)
    const { where, values } = conditions
    const next = values.length + 1
    const rows = await this.database.query<Refund>(
      `SELECT ${REFUND_COLUMNS} FROM gateway_refund r WHERE ${where}
       ORDER BY r.requested_at DESC, r.id DESC LIMIT $${next} OFFSET $${next + 1}`,
      [...values, page.per_page, skip]
    )
    return { rows, total }
  }

  /** A search or a period is counted row by row; counters know the number of all refunds and of those in a state. */
  private async placeIn(
    tenant: Tenant,
    filter: RefundFilter,
    conditions: Conditions,
    page: { offset: number }
  ): Promise<{ total: number; skip: number }> {
    const { state, ...narrower } = filter
    if (Object.values(narrower).every((value) => value === undefined)) {
      const { total, before, skip } = await placeInTime(
        this.database,
        tenant,
        "refund",
        page.offset,
        state === undefined ? undefined : [state]
      )
      conditions.add("r.requested_at < ?", before)
      return { total, skip }
    }
    return countedPlace(this.database, "gateway_refund r", conditions, page.offset)
  }

  /** A window of the admin's list. */
  async window(tenant: Tenant, filter: RefundFilter & { descending: boolean }, window: Window): Promise<Page<Refund>> {
    const conditions = conditionsOf(tenant, filter)
    if (filter.q !== undefined) {
      const found = await idsAndPayments(this.database, tenant, filter.q)
      const named = "r.id = ANY(?) OR r.transaction_id = ANY(?) OR r.batch_id = ANY(?) OR r.acquirer_reference = ANY(?)"
      conditions.add(`(${named})`, found, found, found, spellings(filter.q))
    }
    const { where, values } = conditions
    const direction = filter.descending ? "DESC" : "ASC"
    const order = `r.requested_at ${direction}, r.id ${direction}`
    return pageWithTotals<Refund>(
      this.database,
      {
        table: "gateway_refund r",
        where,
        values,
        order,
        key: "r.requested_at, r.id",
        columns: REFUND_COLUMNS,
        sums: SUMS,
      },
      window
    )
  }
}

function conditionsOf(
  tenant: Tenant,
  { state, states, type, held_for, attention, from, before }: RefundFilter
): Conditions {
  const conditions = new Conditions("r.merchant_id = ? AND r.environment = ?", tenant.merchant_id, tenant.environment)
  if (attention !== undefined) {
    conditions.add(ATTENTION[attention])
  }
  return conditions
    .when(state, "r.state = ?")
    .oneOf("r.state", states)
    .when(type, "r.type = ?")
    .when(held_for, "r.held_for = ?")
    .when(from, "r.requested_at >= ?")
    .when(before, "r.requested_at < ?")
}
