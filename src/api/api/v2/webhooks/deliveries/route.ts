import { endpoint } from "../../../../v2-kit/endpoint"
import { list, listAfter } from "../../../../v2-kit/envelopes"
import { noPageWithCursor, readList } from "../../../../v2-kit/pagination"
import { presentDelivery } from "./present"
import { filterSchema } from "./schemas"

/** The log of deliveries with every attempt (decisions: Webhooks). */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const { filter, page } = readList(query, filterSchema, { also: noPageWithCursor })
  const { after, ...rest } = filter
  if (after !== undefined) {
    const { rows, has_more } = await gateway.webhookDeliveries.after(caller, { ...rest, after }, page.per_page)
    return listAfter("Webhook deliveries", rows.map(presentDelivery), has_more, page)
  }
  const { rows, total } = await gateway.webhookDeliveries.list(caller, rest, page)
  return list("Webhook deliveries", rows.map(presentDelivery), total, page)
})
