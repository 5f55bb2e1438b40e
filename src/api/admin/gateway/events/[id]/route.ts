import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentEvent } from "../resource"

/** One event with the body that its receivers get. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => {
  const event = await gateway.webhookLog.event(tenant, params.id)
  return { event: { ...presentEvent(event), body: event.body } }
})
