import { tenantEndpoint } from "../../../../desk/endpoint"
import { presentStory } from "./present"

/** One payment and everything that happened to it, in order. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  payment: presentStory(await gateway.paymentStories.tell(tenant, params.id), tenant.now),
}))
