import { endpoint } from "../../../../contract/endpoint"
import { list } from "../../../../contract/envelopes"
import { readPage } from "../../../../contract/pagination"
import { presentDelivery } from "./present"
import { readDeliveryFilter } from "./schemas"

/** The log of deliveries with every attempt (decisions: Webhooks). */
export const GET = endpoint(async ({ gateway, caller, request }) => {
  const page = readPage(request.query)
  const { rows, total } = await gateway.webhookDeliveries.list(caller, readDeliveryFilter(request.query), page)
  return list("Webhook deliveries", rows.map(presentDelivery), total, page)
})
