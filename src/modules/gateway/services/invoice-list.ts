import { publicId } from "../domain/ids"
import { invoiceNumber } from "../domain/invoice"
import type { InvoiceState } from "../domain/state-machines/invoice"
import type { Database } from "../database"
import { INVOICE_VIEW_COLUMNS, type InvoiceView } from "../invoice-records"
import { Conditions, pageOf, startingWith, type Page, type Window } from "../paging"
import type { Cradle, Tenant } from "../types"

export type InvoiceListFilter = {
  /** Begins the customer's e-mail address, or is an invoice_id, or an invoice's uuid. */
  q?: string
  status?: InvoiceState[]
  /** A subscription's id or uuid. */
  subscription_id?: string
  /** When the invoice was made, by the merchant's clock. */
  from?: Date
  to?: Date
  order: { descending: boolean }
}

const JOIN = `
  JOIN gateway_merchant m ON m.id = i.merchant_id
  JOIN gateway_merchant_environment e ON e.merchant_id = i.merchant_id AND e.environment = i.environment
  JOIN gateway_subscription s ON s.id = i.subscription_id
  JOIN gateway_customer c ON c.id = i.customer_id
  LEFT JOIN gateway_plan p ON p.id = s.plan_id`

/** The admin's list of invoices: every filter is a walk along an index. */
export class InvoiceListService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  async list(tenant: Tenant, filter: InvoiceListFilter, window: Window): Promise<Page<InvoiceView>> {
    const { merchant_id, environment } = tenant
    const conditions = new Conditions("i.merchant_id = ? AND i.environment = ?", merchant_id, environment)
    search(conditions, filter.q, tenant)
    if (filter.subscription_id !== undefined) {
      const named = publicId(filter.subscription_id)
      if (named === null) {
        return { rows: [], count: 0, count_is_exact: true }
      }
      conditions.add(
        `i.subscription_id = (SELECT id FROM gateway_subscription WHERE merchant_id = ? AND environment = ? AND ${named.column} = ?)`,
        merchant_id, environment, named.value
      )
    }
    conditions
      .oneOf("i.status", filter.status)
      .during(filter, "i.opened_at", "i.created_at", tenant)
    const { where, values } = conditions
    const direction = filter.order.descending ? "DESC" : "ASC"
    // The numbers are in the order of time, and most indexes end in them; a range of dates is walked by its own.
    const isDated = filter.from !== undefined || filter.to !== undefined
    const order = isDated ? `i.created_at ${direction}, i.id ${direction}` : `i.number ${direction}`
    const list = { table: "gateway_invoice i", where, values, order, columns: INVOICE_VIEW_COLUMNS, join: JOIN } as const
    return pageOf<InvoiceView>(this.database, list, window)
  }
}

function search(conditions: Conditions, q: string | undefined, { merchant_id, environment }: Tenant): void {
  if (q === undefined) {
    return
  }
  const number = invoiceNumber(q.toUpperCase())
  const named = publicId(q)
  if (number !== null) {
    conditions.add("i.number = ?", number)
  } else if (named?.column === "uuid") {
    conditions.add("i.uuid = ?", named.value)
  } else {
    conditions.add(
      "i.customer_id IN (SELECT id FROM gateway_customer WHERE merchant_id = ? AND environment = ? AND email_key LIKE ?)",
      merchant_id, environment, startingWith(q.toLowerCase())
    )
  }
}
