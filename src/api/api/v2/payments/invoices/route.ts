import { invoiceData } from "../../../../../modules/gateway/invoices/rules"
import { endpoint } from "../../../../v2-kit/endpoint"
import { list } from "../../../../v2-kit/envelopes"
import { readPage } from "../../../../v2-kit/pagination"
import { readInvoiceFilter } from "./schemas"

/** A merchant's invoices, newest first; optionally of one subscription, or of one status. */
export const GET = endpoint(async ({ gateway, caller, query, publicUrl }) => {
  const page = readPage(query)
  const { rows, total } = await gateway.invoices.list(caller, readInvoiceFilter(query), page)
  return list(
    "Invoices",
    rows.map((invoice) => invoiceData(invoice, publicUrl)),
    total,
    page
  )
})
