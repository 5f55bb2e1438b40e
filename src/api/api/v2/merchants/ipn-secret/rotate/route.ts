import { operation } from "../../../../../v2-kit/operation"
import { repeatable } from "../../../../../v2-kit/idempotency"
import { EXAMPLE_IPN_SECRET, ipnSecret } from "../../webhooks/resource"
import { enveloped } from "../../../../../v2-kit/answers"

/** The old secret remains valid as a second signature for 24 hours. */
export const POST = operation({
  id: "rotateIpnSecret",
  tag: "Webhooks",
  summary: "Make a new IPN secret",
  description:
    "For 24 hours the old one signs too, in the header `webhook-signature`, whatever rotations follow; at most eight old ones do.",
  scope: "webhooks:write",
  answer: enveloped({
    message: "There is a new IPN secret",
    data: ipnSecret,
    description: "The new secret.",
    example: EXAMPLE_IPN_SECRET,
  }),
  codes: ["INVALID_STATE_TRANSITION"],
  run: async (context) => {
    const { secret } = await context.gateway.webhookEndpoints.rotateIpnSecret(repeatable(context))
    return { secret }
  },
})
