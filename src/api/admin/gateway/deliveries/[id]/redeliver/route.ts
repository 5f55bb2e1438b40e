import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentDelivery } from "../../resource"

/** Sends a delivery again, whatever its state. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => {
  await gateway.webhookDeliveries.redeliver(tenant, params.id)
  return { delivery: presentDelivery(await gateway.webhookLog.delivery(tenant, params.id)) }
})
