import { endpoint } from "../../../../v2-kit/endpoint"
import { list } from "../../../../v2-kit/envelopes"
import { readList } from "../../../../v2-kit/pagination"
import { presentCustomer } from "./present"
import { filterSchema } from "./schemas"

/** The merchant's customers, newest first; `email` finds one whatever its case. */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const { filter, page } = readList(query, filterSchema)
  const { rows, total } = await gateway.customers.list(caller, filter, page)
  return list("Customers", rows.map(presentCustomer), total, page)
})
