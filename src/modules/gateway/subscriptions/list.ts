import { publicId } from "../kernel/text/ids"
import type { SubscriptionState } from "./states"
import type { Database } from "../kernel/database/database"
import { addOwner, numberedKey, numberedOrder, ofCustomers } from "../kernel/database/numbered-lists"
import { Conditions } from "../kernel/database/conditions"
import { pageOf, type Page, type Window } from "../kernel/database/paging"
import type { TextSearch } from "../kernel/database/text-search"
import { SUBSCRIPTION_COLUMNS, SUBSCRIPTION_JOINS, type SubscriptionRow } from "./records"
import type { Cradle, Tenant } from "../kernel/types"

export type SubscriptionFilter = {
  /** The beginning of the customer's e-mail address, or the subscription's id or uuid. */
  q?: string
  status?: SubscriptionState[]
  /** A plan's id or uuid. */
  plan_id?: string
  /** When the subscription was made, on the merchant's clock. */
  from?: Date
  to?: Date
  order: { descending: boolean }
}

/** The admin's list of subscriptions: every filter uses an index. */
export class SubscriptionListService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  async list(tenant: Tenant, filter: SubscriptionFilter, window: Window): Promise<Page<SubscriptionRow>> {
    const conditions = new Conditions("s.merchant_id = ? AND s.environment = ?", tenant.merchant_id, tenant.environment)
    const search = searchOf(conditions, filter.q)
    addOwner(conditions, "s.plan_id", "gateway_plan", tenant, filter.plan_id)
    const { where, values } = conditions
      .oneOf("s.status", filter.status)
      .during(filter, "s.opened_at", "s.created_at", tenant)
    const order = numberedOrder("s", filter)
    const list = {
      table: "gateway_subscription s",
      where,
      values,
      order,
      columns: SUBSCRIPTION_COLUMNS,
      join: SUBSCRIPTION_JOINS,
      key: numberedKey("s", filter),
      search,
    } as const
    return pageOf<SubscriptionRow>(this.database, list, window)
  }
}

/** Adds the condition of an id, or answers the search of anything else. */
function searchOf(conditions: Conditions, q: string | undefined): TextSearch | undefined {
  const named = q === undefined ? null : publicId(q)
  if (named !== null) {
    conditions.add(`s.${named.column} = ?`, named.value)
  } else if (q !== undefined) {
    return ofCustomers(q)
  }
  return undefined
}
