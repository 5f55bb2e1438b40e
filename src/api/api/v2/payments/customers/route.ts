import { operation } from "../../../../v2-kit/operation"
import { readList } from "../../../../v2-kit/lists"
import { EXAMPLE, customer, filterSchema, presentCustomer } from "./resource"
import { listed } from "../../../../v2-kit/answers"

/** The merchant's customers, newest first; `email` finds one whatever its case. */
export const GET = operation({
  id: "listCustomers",
  tag: "Customers",
  summary: "List customers",
  description: "The customers of subscriptions, newest first.",
  scope: "subscriptions:read",
  service: "subscriptions",
  query: {
    schema: filterSchema,
    notes: { email: "Only the customer with this e-mail address, in whatever case." },
    paging: "per_page",
  },
  answer: listed({ message: "Customers", item: customer, description: "A page of customers.", example: EXAMPLE }),
  run: async ({ gateway, caller, query }) => {
    const { filter, page } = readList(query, filterSchema)
    const { rows, total } = await gateway.customers.list(caller, filter, page)
    return { rows: rows.map(presentCustomer), total, page }
  },
})
