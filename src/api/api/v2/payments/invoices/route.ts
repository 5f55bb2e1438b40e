import { invoiceData } from "../../../../../modules/gateway/domain/invoice"
import { endpoint } from "../../../../contract/endpoint"
import { list } from "../../../../contract/envelopes"
import { readPage } from "../../../../contract/pagination"
import { readInvoiceFilter } from "./schemas"

/** A merchant's invoices, newest first; those of one subscription, or of one status. */
export const GET = endpoint(async ({ gateway, caller, request, publicUrl }) => {
  const page = readPage(request.query)
  const { rows, total } = await gateway.invoices.list(caller, readInvoiceFilter(request.query), page)
  return list("Invoices", rows.map((invoice) => invoiceData(invoice, publicUrl)), total, page)
})
