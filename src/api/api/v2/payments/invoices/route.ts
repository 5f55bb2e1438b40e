import { invoiceData } from "../../../../../modules/gateway/invoices/rules"
import { endpoint } from "../../../../v2-kit/endpoint"
import { list } from "../../../../v2-kit/envelopes"
import { readPage } from "../../../../v2-kit/pagination"
import { readInvoiceFilter } from "./schemas"

/** A merchant's invoices, newest first; optionally of one subscription, or of one status. */
export const GET = endpoint(async ({ gateway, caller, request, publicUrl }) => {
  const page = readPage(request.query)
  const { rows, total } = await gateway.invoices.list(caller, readInvoiceFilter(request.query), page)
  return list(
    "Invoices",
    rows.map((invoice) => invoiceData(invoice, publicUrl)),
    total,
    page
  )
})
