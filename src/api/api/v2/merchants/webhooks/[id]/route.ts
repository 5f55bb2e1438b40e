import { endpoint } from "../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../v2-kit/envelopes"
import { presentEndpoint } from "../present"
import { readEndpointChange } from "../schemas"

export const GET = endpoint(async ({ gateway, caller, params }) =>
  envelope("Webhook endpoint", presentEndpoint(await gateway.webhookEndpoints.retrieve(caller, params.id)))
)

export const PATCH = endpoint(async ({ gateway, caller, params, body }) => {
  const change = readEndpointChange(body, gateway.options.allowPrivateUrls)
  const row = await gateway.webhookEndpoints.update(caller, params.id, change)
  return envelope("Webhook endpoint changed", presentEndpoint(row))
})

export const DELETE = endpoint(async ({ gateway, caller, params }) =>
  envelope("Webhook endpoint deleted", presentEndpoint(await gateway.webhookEndpoints.remove(caller, params.id)))
)
