import { endpoint } from "../../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../../v2-kit/envelopes"
import { presentEndpoint } from "../../present"

/** The old secret signs along for 24 hours; the new one is shown in this answer only (decisions: Webhooks). */
export const POST = endpoint(async ({ gateway, caller, params }) => {
  const row = await gateway.webhookEndpoints.rotateSecret(caller, params.id)
  return envelope("The endpoint has a new secret", { ...presentEndpoint(row), secret: row.secret })
})
