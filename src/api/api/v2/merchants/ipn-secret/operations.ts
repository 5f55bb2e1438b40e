import { envelopeOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { ipnSecret } from "../webhooks/answers"

const tag = "Webhooks"
const data = { secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=" }

export const operations: readonly Documented[] = [
  {
    method: "GET",
    path: "/merchants/ipn-secret",
    id: "getIpnSecret",
    tag,
    summary: "Get the IPN secret",
    description: "What signs the notifications to the `ipn_url` of orders. The merchant has one in each environment.",
    answer: {
      description: "The secret.",
      schema: () => envelopeOf(ipnSecret()),
      example: { success: true, message: "The IPN secret", data, meta: {} },
    },
  },
  {
    method: "POST",
    path: "/merchants/ipn-secret/rotate",
    id: "rotateIpnSecret",
    tag,
    summary: "Make a new IPN secret",
    description:
      "For 24 hours the old one signs too, in the header `webhook-signature`, whatever rotations follow; at most eight old ones do.",
    answer: {
      description: "The new secret.",
      schema: () => envelopeOf(ipnSecret()),
      example: { success: true, message: "There is a new IPN secret", data, meta: {} },
    },
    codes: ["INVALID_STATE_TRANSITION"],
  },
]
