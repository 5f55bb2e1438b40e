import { endpoint } from "../../../../v2-kit/endpoint"
import { list } from "../../../../v2-kit/envelopes"
import { readList } from "../../../../v2-kit/pagination"
import { presentDelivery } from "./present"
import { filterSchema } from "./schemas"

/** The log of deliveries with every attempt (decisions: Webhooks). */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const { filter, page } = readList(query, filterSchema)
  const { rows, total } = await gateway.webhookDeliveries.list(caller, filter, page)
  return list("Webhook deliveries", rows.map(presentDelivery), total, page)
})
