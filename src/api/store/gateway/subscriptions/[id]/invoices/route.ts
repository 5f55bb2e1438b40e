import { publicUrlOf } from "../../../../../v2-kit/target"
import { presentList } from "../../../../../admin-kit/list"
import { ownSubscription, presentOwnInvoice, readPage } from "../../resource"

export const GET = ownSubscription(async ({ gateway, row, query, request }) => {
  const page = readPage(query)
  const { rows, count } = await gateway.invoiceList.ofSubscription(row.id, page)
  return presentList("invoices", { rows, count, count_is_exact: true }, page, (invoice) =>
    presentOwnInvoice(invoice, publicUrlOf(gateway, request))
  )
})
