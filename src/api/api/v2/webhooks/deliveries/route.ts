import { endpoint } from "../../../../v2-kit/endpoint"
import { list } from "../../../../v2-kit/envelopes"
import { readPage } from "../../../../v2-kit/pagination"
import { presentDelivery } from "./present"
import { readDeliveryFilter } from "./schemas"

/** The log of deliveries with every attempt (decisions: Webhooks). */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const page = readPage(query)
  const { rows, total } = await gateway.webhookDeliveries.list(caller, readDeliveryFilter(query), page)
  return list("Webhook deliveries", rows.map(presentDelivery), total, page)
})
