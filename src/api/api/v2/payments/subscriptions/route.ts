import { endpoint } from "../../../../v2-kit/endpoint"
import { bare, list } from "../../../../v2-kit/envelopes"
import { readPage } from "../../../../v2-kit/pagination"
import { presentSubscription, presentSubscriptionLine } from "./present"
import { readSubscription, readSubscriptionFilter } from "./schemas"

/** Creates a subscription (contract 4.6). */
export const POST = endpoint(async ({ gateway, caller, body, claim }) => {
  const row = await gateway.subscriptions.create(caller, readSubscription(body), claim?.id)
  return bare(presentSubscription(row, caller), 201)
})

export const GET = endpoint(async ({ gateway, caller, query }) => {
  const page = readPage(query)
  const { rows, total } = await gateway.subscriptions.list(caller, readSubscriptionFilter(query), page)
  return list(
    "Subscriptions",
    rows.map((row) => presentSubscriptionLine(row, caller)),
    total,
    page
  )
})
