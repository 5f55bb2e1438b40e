import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentSubscription } from "../../resource"

/** Only an active subscription. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  subscription: presentSubscription(await gateway.subscriptions.pause(tenant, params.id)),
}))
