import { readSubscriptionChange } from "../../../../api/v2/payments/subscriptions/resource"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { orderNumbers } from "../../../../admin-kit/present"
import { presentSubscription, presentTimeline } from "../resource"

/** One subscription with its instrument, what is due, and the latest events; by uuid or integer id. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, request }) => {
  const timeline = await gateway.subscriptionTimelines.retrieve(tenant, params.id)
  const order_id = timeline.row.store_order_id
  const number = await orderNumbers(request.scope, [order_id])
  return { subscription: { ...presentTimeline(timeline, tenant.now), medusa_order_number: number(order_id) } }
})

/** Changes the terms from the next cycle on: what PATCH of `/api/v2` permits. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => ({
  subscription: presentSubscription(
    await gateway.subscriptions.update(tenant, params.id, readSubscriptionChange(body))
  ),
}))
