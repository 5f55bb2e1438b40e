import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentSubscription } from "../../resource"

/** Billing continues with the days that were left. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  subscription: presentSubscription(await gateway.subscriptions.resume(tenant, params.id)),
}))
