import { asciiDigits } from "../../../i18n/typed"
import type { IntervalUnit } from "../kernel/money/calendar"
import { publicId } from "../kernel/text/ids"
import type { Database } from "../kernel/database/database"
import { Conditions, startingWith } from "../kernel/database/conditions"
import { pageOf, type Page, type Window } from "../kernel/database/paging"
import type { TextSearch } from "../kernel/database/text-search"
import type { Cradle, Tenant } from "../kernel/types"
import { PLAN_COLUMNS, type Plan } from "./service"

export type PlanFilter = {
  /** The beginning of a plan's name, or its id or uuid. */
  q?: string
  status?: "active" | "archived"
  interval?: IntervalUnit[]
  /** When the plan was made, on the merchant's clock. */
  from?: Date
  to?: Date
  order: { by: "created_at" | "amount"; descending: boolean }
}

/** The admin's list of plans: every filter and order uses an index. */
export class PlanListService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  async list(tenant: Tenant, filter: PlanFilter, window: Window): Promise<Page<Plan>> {
    const conditions = new Conditions("p.merchant_id = ? AND p.environment = ?", tenant.merchant_id, tenant.environment)
    conditions
      .when(filter.status && filter.status === "active", "p.is_active = ?")
      .oneOf("p.interval_unit", filter.interval)
      .during(filter, "p.opened_at", "p.created_at", tenant)
    const direction = filter.order.descending ? "DESC" : "ASC"
    const column = filter.order.by === "amount" ? "p.amount_minor" : "p.created_at"
    const { where, values } = conditions
    const order = `${column} ${direction}, p.id ${direction}`
    const key = filter.order.by === "amount" ? "p.amount_minor, p.id" : "p.created_at, p.id"
    return pageOf<Plan>(
      this.database,
      { table: "gateway_plan p", where, values, order, key, columns: PLAN_COLUMNS, search: searchOf(filter.q) },
      window
    )
  }
}

function searchOf(q: string | undefined): TextSearch | undefined {
  if (q === undefined) {
    return undefined
  }
  const name = { sql: "lower(plan_name) LIKE ?", values: [startingWith(q.toLowerCase())] }
  const named = publicId(asciiDigits(q))
  return named === null ? [name] : [name, { sql: `${named.column} = ?`, values: [named.value] }]
}
