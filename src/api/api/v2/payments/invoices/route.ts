import { invoiceData } from "../../../../../modules/gateway/invoices/rules"
import { endpoint } from "../../../../v2-kit/endpoint"
import { list } from "../../../../v2-kit/envelopes"
import { readList } from "../../../../v2-kit/pagination"
import { filterSchema } from "./schemas"

/** A merchant's invoices, newest first; optionally of one subscription, or of one status. */
export const GET = endpoint(async ({ gateway, caller, query, publicUrl }) => {
  const { filter, page } = readList(query, filterSchema)
  const { rows, total } = await gateway.invoices.list(caller, filter, page)
  return list(
    "Invoices",
    rows.map((invoice) => invoiceData(invoice, publicUrl)),
    total,
    page
  )
})
