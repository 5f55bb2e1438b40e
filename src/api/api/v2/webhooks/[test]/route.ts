import { translate } from "../../../../../i18n/translate"
import { endpoint } from "../../../../v2-kit/endpoint"
import { envelope } from "../../../../v2-kit/envelopes"
import { readSample, sampleEvent } from "./schemas"

/* In brackets because Medusa's build leaves out every folder called "test". The route table allows no other name. */

/**
 * Delivers a sample at once; 200 even when the receiver failed, with the reason (contract 4.7). It is signed as the
 * deliveries to this URL are: with the secret of the endpoint that is registered there, else with the IPN secret.
 */
export const POST = endpoint(async ({ gateway, caller, body }) => {
  const { event, url } = readSample(body, gateway.options.allowPrivateUrls)
  const sample = sampleEvent(event, caller)
  const signing = await gateway.webhookEndpoints.signingOfUrl(caller, url, event)
  const result = await gateway.webhookDispatch.sample(url, sample.body, sample.event_id, signing)
  return envelope("Test delivery", {
    delivered: result.status_code === 200,
    status_code: result.status_code,
    duration_ms: result.duration_ms,
    ...(result.error === null ? {} : { error: translate(result.error) }),
  })
})
