import { readSince } from "../../../../api/v2/webhooks/deliveries/resource"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"

/** Sends again everything that has failed for good since a given time. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => ({
  redelivered: await gateway.webhookDeliveries.redeliverFailed(tenant, readSince(body)),
}))
