import { asciiDigits } from "../../../i18n/typed"
import { publicId } from "../kernel/text/ids"
import { invoiceNumber } from "./rules"
import type { InvoiceState } from "./states"
import type { Database } from "../kernel/database/database"
import { INVOICE_COLUMNS, INVOICE_VIEW_COLUMNS, type Invoice, type InvoiceView } from "./records"
import { addOwner, numberedKey, numberedOrder, ofCustomers } from "../kernel/database/numbered-lists"
import { Conditions } from "../kernel/database/conditions"
import { pageWithTotals, sumOf, type Page, type Window } from "../kernel/database/paging"
import type { TextSearch } from "../kernel/database/text-search"
import type { Cradle, Tenant } from "../kernel/types"

export type InvoiceListFilter = {
  /** The beginning of the customer's e-mail address, an invoice_id, or an invoice's uuid. */
  q?: string
  status?: InvoiceState[]
  /** A subscription's id or uuid. */
  subscription_id?: string
  /** When the invoice was made, on the merchant's clock. */
  from?: Date
  to?: Date
  order: { descending: boolean }
}

/** `order_id` is the Medusa order of the paid period, once it is made. */
export type OrderedInvoice = Invoice & { order_id: string | null }

const JOIN = `
  JOIN gateway_merchant m ON m.id = i.merchant_id
  JOIN gateway_merchant_environment e ON e.merchant_id = i.merchant_id AND e.environment = i.environment
  JOIN gateway_subscription s ON s.id = i.subscription_id
  JOIN gateway_customer c ON c.id = i.customer_id`

/** Long lists of invoices. Every filter of the admin's uses an index. */
export class InvoiceListService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  async list(tenant: Tenant, filter: InvoiceListFilter, window: Window): Promise<Page<InvoiceView>> {
    const conditions = new Conditions("i.merchant_id = ? AND i.environment = ?", tenant.merchant_id, tenant.environment)
    const search = searchOf(conditions, filter.q)
    addOwner(conditions, "i.subscription_id", "gateway_subscription", tenant, filter.subscription_id)
    const { where, values } = conditions
      .oneOf("i.status", filter.status)
      .during(filter, "i.opened_at", "i.created_at", tenant)
    const order = numberedOrder("i", filter)
    const list = {
      table: "gateway_invoice i",
      where,
      values,
      order,
      columns: INVOICE_VIEW_COLUMNS,
      join: JOIN,
      key: numberedKey("i", filter),
      search,
      sums: {
        currency: "i.currency",
        amounts: [
          sumOf("paid_amount", "i.amount_minor", "i.status = 'PAID'"),
          sumOf("pending_amount", "i.amount_minor", "i.status = 'PENDING'"),
        ],
      },
    } as const
    return pageWithTotals<InvoiceView>(this.database, list, window)
  }

  /**
   * The invoices of one subscription, newest first. The caller has checked that the subscription (internal id) is its
   * own.
   */
  async ofSubscription(
    subscription_id: string,
    { limit, offset }: { limit: number; offset: number }
  ): Promise<{ rows: OrderedInvoice[]; count: number }> {
    const [{ count }] = await this.database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM gateway_invoice WHERE subscription_id = $1",
      [subscription_id]
    )
    const rows = await this.database.query<OrderedInvoice>(
      `SELECT ${INVOICE_COLUMNS}, CASE WHEN i.status = 'PAID' THEN
         COALESCE(c.order_id, CASE WHEN r.transaction_id IS NULL THEN s.store_order_id END) END AS order_id
       FROM gateway_invoice i JOIN gateway_subscription s ON s.id = i.subscription_id
       LEFT JOIN gateway_billing_record r ON r.subscription_id = i.subscription_id AND r.period = i.period
       LEFT JOIN gateway_cart_completion c ON c.transaction_id = r.transaction_id
       WHERE i.subscription_id = $1 ORDER BY i.number DESC LIMIT $2 OFFSET $3`,
      [subscription_id, limit, offset]
    )
    return { rows, count }
  }
}

/** Adds the condition of an id, or answers the search of anything else. */
function searchOf(conditions: Conditions, q: string | undefined): TextSearch | undefined {
  if (q === undefined) {
    return undefined
  }
  const typed = asciiDigits(q)
  const number = invoiceNumber(typed.toUpperCase())
  const named = publicId(typed)
  if (number !== null) {
    conditions.add("i.number = ?", number)
  } else if (named?.column === "uuid") {
    conditions.add("i.uuid = ?", named.value)
  } else {
    return ofCustomers(q)
  }
  return undefined
}
