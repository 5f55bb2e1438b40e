import { asciiDigits } from "../../../i18n/typed"
import { publicId } from "../kernel/text/ids"
import type { SubscriptionState } from "./states"
import type { Database } from "../kernel/database/database"
import { addOwner, numberedKey, numberedOrder, ofCustomers } from "../kernel/database/numbered-lists"
import { Conditions } from "../kernel/database/conditions"
import { countedPlace, placeOf, type Place } from "../kernel/database/counters"
import { pageOf, type Page, type Window } from "../kernel/database/paging"
import type { TextSearch } from "../kernel/database/text-search"
import { SUBSCRIPTION_COLUMNS, SUBSCRIPTION_JOINS, SUBSCRIPTION_TABLES, type SubscriptionRow } from "./records"
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
  const named = q === undefined ? null : publicId(asciiDigits(q))
  if (named !== null) {
    conditions.add(`s.${named.column} = ?`, named.value)
  } else if (q !== undefined) {
    return ofCustomers(q)
  }
  return undefined
}

/** `customer_id` is the contract's integer. */
export type MerchantFilter = { customer_id?: number; status?: SubscriptionState }
export type NumberedPage = { per_page: number; offset: number }

/** The list of `/api/v2`, newest first. */
export async function listOfMerchant(
  database: Database,
  tenant: Tenant,
  filter: MerchantFilter,
  page: NumberedPage
): Promise<{ rows: SubscriptionRow[]; total: number }> {
  const conditions = new Conditions("s.merchant_id = ? AND s.environment = ?", tenant.merchant_id, tenant.environment)
  conditions.when(filter.status, "s.status = ?")
  const place = await placeIn(database, tenant, filter, conditions, page)
  const { where, values } = conditions.add("s.number < ?", place.before)
  // Only the page's rows are joined, not the skipped ones.
  const picked = `SELECT s.id FROM gateway_subscription s WHERE ${where}
    ORDER BY s.number DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`
  const rows = await database.query<SubscriptionRow>(
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM ${SUBSCRIPTION_TABLES} WHERE s.id IN (${picked}) ORDER BY s.number DESC`,
    [...values, page.per_page, place.skip]
  )
  return { rows, total: place.total }
}

/** A customer has few subscriptions, which are counted; counters know the number of all subscriptions. */
async function placeIn(
  database: Database,
  tenant: Tenant,
  filter: MerchantFilter,
  conditions: Conditions,
  page: NumberedPage
): Promise<Place> {
  if (filter.customer_id === undefined) {
    const labels = filter.status === undefined ? undefined : [filter.status]
    return placeOf(database, tenant, "subscription", page.offset, labels)
  }
  const customer = "(SELECT id FROM gateway_customer WHERE merchant_id = ? AND environment = ? AND number = ?)"
  conditions.add(`s.customer_id = ${customer}`, tenant.merchant_id, tenant.environment, filter.customer_id)
  return countedPlace(database, "gateway_subscription s", conditions, page.offset)
}
