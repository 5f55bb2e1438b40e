import { z } from "@medusajs/framework/zod"
import { endpoint } from "../../../../contract/endpoint"
import { list } from "../../../../contract/envelopes"
import { readPage } from "../../../../contract/pagination"
import { parse, text, withoutAbsent } from "../../../../contract/validate"
import { presentCustomer } from "./present"

const filterSchema = z.object({ email: text(254).optional() })

/** Whom the merchant bills, newest first; `email` finds one whatever its case. */
export const GET = endpoint(async ({ gateway, caller, request }) => {
  const page = readPage(request.query)
  const filter = parse(filterSchema, withoutAbsent(request.query, []))
  const { rows, total } = await gateway.customers.list(caller, filter, page)
  return list("Customers", rows.map(presentCustomer), total, page)
})
