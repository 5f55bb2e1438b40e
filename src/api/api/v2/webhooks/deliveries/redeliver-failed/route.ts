import { operation } from "../../../../../v2-kit/operation"
import { readSince, redelivered, sinceSchema } from "../resource"
import { enveloped } from "../../../../../v2-kit/answers"

/** Sends again everything that has failed for good since a given time. */
export const POST = operation({
  id: "redeliverFailed",
  tag: "Webhooks",
  summary: "Send everything again that failed",
  description: "All deliveries of events since a moment that have failed for good, except to endpoints that are off.",
  scope: "webhooks:write",
  body: {
    name: "RedeliverySince",
    schema: sinceSchema,
    notes: { since: "Events from this moment on." },
    example: { since: "2027-03-01T00:00:00Z" },
  },
  answer: enveloped({
    message: "Failed deliveries are on their way again",
    data: redelivered,
    description: "They are on their way again.",
    example: { redelivered: 3 },
  }),
  codes: ["MISSING_REQUIRED_FIELD"],
  run: async ({ gateway, caller, body }) => {
    const redelivered = await gateway.webhookDeliveries.redeliverFailed(caller, readSince(body))
    return { redelivered }
  },
})
