import { readCancellation } from "../../../../../api/v2/payments/subscriptions/[subscription_id]/cancel/resource"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentSubscription } from "../../resource"

/** Cancels now, or at the end of the paid period: `cancel_at_period_end`, `cancellation_reason`. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => ({
  subscription: presentSubscription(await gateway.subscriptions.cancel(tenant, params.id, readCancellation(body))),
}))
