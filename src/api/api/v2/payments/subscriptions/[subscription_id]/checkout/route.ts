import { z } from "@medusajs/framework/zod"
import type { SubscriptionCheckoutRequest } from "../../../../../../../modules/gateway/checkout/subscriptions"
import { GatewayError } from "../../../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../../../modules/gateway/kernel/limits"
import type { JsonObject } from "../../../../../../v2-kit/body"
import { operation } from "../../../../../../v2-kit/operation"
import { CALLBACKS, parseWithUrls } from "../../../../../../v2-kit/refusals"
import { anyText, freeForm, withoutAbsent } from "../../../../../../v2-kit/validate"
import { OPEN_SESSION, presentCheckout } from "../../../checkout/resource"
import { REFUSED } from "../../resource"

const checkoutSchema = z.object({
  success_url: anyText.optional(),
  cancel_url: anyText.optional(),
  fail_url: anyText.optional(),
  ipn_url: anyText.optional(),
  metadata: freeForm(LIMITS.metadataMaxBytes).optional(),
})

/** A refused URL is 400 INVALID_CALLBACK_URL, as at POST /payments/checkout. */
function readSubscriptionCheckout(body: JsonObject, allowPrivate: boolean): SubscriptionCheckoutRequest {
  return parseWithUrls(checkoutSchema, withoutAbsent(body, ["metadata"]), CALLBACKS, allowPrivate)
}

/** Opens a checkout for the open period (contract 4.6). */
export const POST = operation({
  id: "createSubscriptionCheckout",
  tag: "Subscriptions",
  summary: "Create a checkout for a subscription",
  description: [
    "For the period that is open: the first one, the one whose charge failed, or the next one in advance. What pays it is",
    "charged from then on. Without URLs the merchant's settings apply.",
  ].join(" "),
  scope: "subscriptions:write",
  service: "subscriptions",
  body: {
    name: "SubscriptionCheckout",
    schema: checkoutSchema,
    notes: {
      success_url: { format: "uri", maxLength: 255, description: "Where the customer goes after paying." },
      cancel_url: { format: "uri", maxLength: 255, description: "Where the customer goes after cancelling." },
      fail_url: { format: "uri", maxLength: 255, description: "Where the customer goes when the payment failed." },
      ipn_url: { format: "uri", maxLength: 2048, description: "Where the gateway reports the outcome." },
      metadata: "Anything of yours about the payment, up to 16 KiB of JSON.",
    },
    example: { success_url: "https://shop.example.com/paid", fail_url: "https://shop.example.com/failed" },
    optional: true,
  },
  answer: OPEN_SESSION,
  codes: [...REFUSED, "INVALID_CALLBACK_URL"],
  run: async ({ gateway, caller, params, body, publicUrl, claim }) => {
    if (!(await gateway.hasAcquirer(caller))) {
      throw new GatewayError("SERVICE_NOT_ENABLED")
    }
    const request = readSubscriptionCheckout(body, gateway.options.allowPrivateUrls)
    const opened = await gateway.subscriptionCheckouts.open(caller, params.subscription_id, request, {
      publicUrl,
      idempotency_id: claim?.id,
    })
    return presentCheckout(opened, publicUrl)
  },
})
