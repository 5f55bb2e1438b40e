import { translate } from "../../../../../i18n/translate"
import { operation } from "../../../../v2-kit/operation"
import { readSample, sampleEvent, sampleSchema } from "./samples"
import { testDelivery } from "../deliveries/resource"
import { enveloped } from "../../../../v2-kit/answers"

/* In brackets because Medusa's build leaves out every folder called "test". The route table allows no other name. */

/**
 * Delivers a sample at once; 200 even when the receiver failed, with the reason (contract 4.7). It is signed as the
 * deliveries to this URL are: with the secret of the endpoint that is registered there, else with the IPN secret.
 */
export const POST = operation({
  id: "sendTestEvent",
  tag: "Webhooks",
  summary: "Send a sample event",
  description: [
    "Delivers one event with invented ids at once and says what came of it; 200 also when the receiver failed. It is signed",
    "with the secret of the endpoint that is registered at this address, or else with the IPN secret.",
  ].join(" "),
  scope: "webhooks:write",
  sandboxOnly: true,
  body: {
    name: "SampleEvent",
    schema: sampleSchema,
    notes: {
      event: "The type of the event.",
      url: { format: "uri", maxLength: 2048, description: "Where to send it." },
    },
    example: { event: "payment.succeeded", url: "https://shop.example.com/webhooks" },
  },
  answer: enveloped({
    message: "Test delivery",
    data: testDelivery,
    description: "What came of it.",
    example: { delivered: true, status_code: 200, duration_ms: 84 },
  }),
  codes: ["INVALID_CALLBACK_URL", "MISSING_REQUIRED_FIELD"],
  run: async ({ gateway, caller, body }) => {
    const { event, url } = readSample(body, gateway.options.allowPrivateUrls)
    const sample = sampleEvent(event, caller)
    const signing = await gateway.webhookEndpoints.signingOfUrl(caller, url, event)
    const result = await gateway.webhookDispatch.sample(url, sample.body, sample.event_id, signing)
    return {
      delivered: result.status_code === 200,
      status_code: result.status_code,
      duration_ms: result.duration_ms,
      ...(result.error === null ? {} : { error: translate(result.error) }),
    }
  },
})
