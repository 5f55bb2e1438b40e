import { endpoint } from "../../../../v2-kit/endpoint"
import { created } from "../../../../v2-kit/envelopes"
import { presentPortalSession } from "./present"
import { readPortalSession } from "./schemas"

/** Makes a link to the customer portal (docs/decisions/0058). It is shown only in this answer. */
export const POST = endpoint(async ({ gateway, caller, body, claim, publicUrl }) => {
  const request = readPortalSession(body, gateway.options.allowPrivateUrls)
  const link = await gateway.portalSessions.create(caller, request, claim?.id ?? null)
  return created("Portal session created", presentPortalSession(link, request.return_url, caller, publicUrl))
})
