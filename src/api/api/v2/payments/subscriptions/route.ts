import { endpoint } from "../../../../v2-kit/endpoint"
import { bare, list } from "../../../../v2-kit/envelopes"
import { presentSubscription, presentSubscriptionLine } from "./present"
import { readSubscription, readSubscriptionList } from "./schemas"

/** Creates a subscription (contract 4.6). */
export const POST = endpoint(async ({ gateway, caller, body, claim }) => {
  const row = await gateway.subscriptions.create(caller, readSubscription(body, caller.shop_modules), claim?.id)
  return bare(presentSubscription(row, caller), 201)
})

export const GET = endpoint(async ({ gateway, caller, query }) => {
  const { filter, page } = readSubscriptionList(query)
  const { rows, total } = await gateway.subscriptions.list(caller, filter, page)
  return list(
    "Subscriptions",
    rows.map((row) => presentSubscriptionLine(row, caller)),
    total,
    page
  )
})
