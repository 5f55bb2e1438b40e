import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentDelivery } from "../present"

/** One delivery with its body and every attempt. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => {
  const row = await gateway.webhookLog.delivery(tenant, params.id)
  return { delivery: { ...presentDelivery(row), body: row.body, log: row.log } }
})
