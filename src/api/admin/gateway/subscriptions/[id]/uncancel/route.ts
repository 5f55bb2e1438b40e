import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentSubscription } from "../../resource"

/** Undoes a cancellation at the period's end, until then. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  subscription: presentSubscription(await gateway.subscriptions.uncancel(tenant, params.id)),
}))
