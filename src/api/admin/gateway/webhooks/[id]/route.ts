import { readEndpointChange } from "../../../../api/v2/merchants/webhooks/resource"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentWebhook } from "../resource"

export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  webhook: presentWebhook(await gateway.webhookEndpoints.retrieve(tenant, params.id)),
}))

export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  const change = readEndpointChange(body, gateway.options.allowPrivateUrls)
  return { webhook: presentWebhook(await gateway.webhookEndpoints.update(tenant, params.id, change)) }
})

export const DELETE = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  webhook: presentWebhook(await gateway.webhookEndpoints.remove(tenant, params.id)),
  deleted: true,
}))
