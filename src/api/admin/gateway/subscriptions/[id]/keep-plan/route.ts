import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentSubscription } from "../../resource"

/** Takes a scheduled switch of plan back. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  subscription: presentSubscription(await gateway.subscriptionChanges.takeBack(tenant, params.id)),
}))
