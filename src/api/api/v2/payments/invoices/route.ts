import { invoiceData } from "../../../../../modules/gateway/invoices/rules"
import { operation } from "../../../../v2-kit/operation"
import { readList } from "../../../../v2-kit/lists"
import { EXAMPLE_INVOICE, filterSchema, invoice } from "./resource"
import { listed } from "../../../../v2-kit/answers"

/** A merchant's invoices, newest first; optionally of one subscription, or of one status. */
export const GET = operation({
  id: "listInvoices",
  tag: "Invoices",
  summary: "List invoices",
  description: "Newest first.",
  scope: "subscriptions:read",
  service: "subscriptions",
  query: {
    schema: filterSchema,
    notes: {
      subscription_id: "Only those of this subscription, by its `id` or its `uuid`.",
      status: "Only those of this status.",
    },
    paging: "per_page",
  },
  answer: listed({ message: "Invoices", item: invoice, description: "A page of invoices.", example: EXAMPLE_INVOICE }),
  run: async ({ gateway, caller, query, publicUrl }) => {
    const { filter, page } = readList(query, filterSchema)
    const { rows, total } = await gateway.invoices.list(caller, filter, page)
    return { rows: rows.map((invoice) => invoiceData(invoice, publicUrl)), total, page }
  },
})
