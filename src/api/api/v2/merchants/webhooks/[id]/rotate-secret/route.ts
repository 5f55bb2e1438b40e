import { endpoint } from "../../../../../../contract/endpoint"
import { envelope } from "../../../../../../contract/envelopes"
import { presentEndpoint } from "../../present"

/** The old secret signs along for 24 hours; the new one is shown in this answer only (decisions: Webhooks). */
export const POST = endpoint(async ({ gateway, caller, params }) => {
  const row = await gateway.webhookEndpoints.rotateSecret(caller, params.id)
  return envelope("The endpoint has a new secret", { ...presentEndpoint(row), secret: row.secret })
})
