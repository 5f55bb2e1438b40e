import { publicId } from "../domain/ids"
import type { SubscriptionState } from "../domain/state-machines/subscription"
import type { Database } from "../database"
import { Conditions, pageOf, startingWith, type Page, type Window } from "../paging"
import { SUBSCRIPTION_COLUMNS, type SubscriptionRow } from "../subscription-records"
import type { Cradle, Tenant } from "../types"

export type SubscriptionFilter = {
  /** Begins the customer's e-mail address, or is the subscription's id or uuid. */
  q?: string
  status?: SubscriptionState[]
  /** A plan's id or uuid. */
  plan_id?: string
  /** When the subscription was made, by the merchant's clock. */
  from?: Date
  to?: Date
  order: { descending: boolean }
}

const JOIN = `
  JOIN gateway_customer c ON c.id = s.customer_id
  LEFT JOIN gateway_plan p ON p.id = s.plan_id`

/** The admin's list of subscriptions: every filter is a walk along an index. */
export class SubscriptionListService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  async list(tenant: Tenant, filter: SubscriptionFilter, window: Window): Promise<Page<SubscriptionRow>> {
    const { merchant_id, environment } = tenant
    const conditions = new Conditions("s.merchant_id = ? AND s.environment = ?", merchant_id, environment)
    search(conditions, filter.q, tenant)
    if (filter.plan_id !== undefined) {
      const named = publicId(filter.plan_id)
      if (named === null) {
        return { rows: [], count: 0, count_is_exact: true }
      }
      conditions.add(
        `s.plan_id = (SELECT id FROM gateway_plan WHERE merchant_id = ? AND environment = ? AND ${named.column} = ?)`,
        merchant_id, environment, named.value
      )
    }
    conditions
      .oneOf("s.status", filter.status)
      .during(filter, "s.opened_at", "s.created_at", tenant)
    const { where, values } = conditions
    const direction = filter.order.descending ? "DESC" : "ASC"
    // The numbers are in the order of time, and most indexes end in them; a range of dates is walked by its own.
    const isDated = filter.from !== undefined || filter.to !== undefined
    const order = isDated ? `s.created_at ${direction}, s.id ${direction}` : `s.number ${direction}`
    const list = { table: "gateway_subscription s", where, values, order, columns: SUBSCRIPTION_COLUMNS, join: JOIN } as const
    return pageOf<SubscriptionRow>(this.database, list, window)
  }
}

function search(conditions: Conditions, q: string | undefined, { merchant_id, environment }: Tenant): void {
  const named = q === undefined ? null : publicId(q)
  if (named !== null) {
    conditions.add(`s.${named.column} = ?`, named.value)
  } else if (q !== undefined) {
    conditions.add(
      "s.customer_id IN (SELECT id FROM gateway_customer WHERE merchant_id = ? AND environment = ? AND email_key LIKE ?)",
      merchant_id, environment, startingWith(q.toLowerCase())
    )
  }
}
