import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { publicUrlOf } from "../../../v2-kit/target"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentInvoice, readFilter, readSubscriptionId } from "./resource"

/**
 * Invoices, newest first; `q` is the beginning of the customer's e-mail address, or an invoice_id; `status`,
 * `subscription_id`.
 */
export const GET = listEndpoint({
  name: "invoices",
  read: readFilter,
  page: ({ gateway, tenant }, filter, window) => gateway.invoiceList.list(tenant, filter, window),
  present: (invoice, { gateway, request }) => presentInvoice(invoice, publicUrlOf(gateway, request)),
  columns: csvColumns(
    "invoice_id",
    "id",
    "status",
    "amount",
    "currency",
    ["customer_name", "customer.name"],
    ["customer_email", "customer.email"],
    ["customer_phone", "customer.phone"],
    "plan_name",
    ["subscription_id", "subscription.id"],
    "period_start",
    "period_end",
    "due_date",
    "paid_at",
    "voided_at",
    "payment_url",
    "created_at"
  ),
})

/** The invoice of a subscription's open period: the existing one, or a new one, which is sent by e-mail. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body, request }) => {
  const invoice = await gateway.invoices.generate(tenant, readSubscriptionId(body))
  return { invoice: presentInvoice(invoice, publicUrlOf(gateway, request)) }
})
