import { readSubscription } from "../../../api/v2/payments/subscriptions/schemas"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentList } from "../../../admin-kit/list"
import { presentSubscription } from "./present"
import { readFilter } from "./schemas"

/**
 * Subscriptions, newest first; `q` is an id, or the beginning of the customer's e-mail address; `status`, `plan_id`.
 */
export const GET = tenantEndpoint(async ({ gateway, tenant, query }) => {
  const filter = readFilter(query)
  return presentList(
    "subscriptions",
    await gateway.subscriptionList.list(tenant, filter, filter),
    filter,
    presentSubscription
  )
})

/** Takes the body of POST /payments/subscriptions of `/api/v2`. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => ({
  subscription: presentSubscription(await gateway.subscriptions.create(tenant, readSubscription(body))),
}))
