import { operation } from "../../../../v2-kit/operation"
import { EXAMPLE_IPN_SECRET, ipnSecret } from "../webhooks/resource"
import { enveloped } from "../../../../v2-kit/answers"

/** The secret that signs the merchant's IPNs (decisions: Callback, IPN and webhook URLs). */
export const GET = operation({
  id: "getIpnSecret",
  tag: "Webhooks",
  summary: "Get the IPN secret",
  description: "What signs the notifications to the `ipn_url` of orders. The merchant has one in each environment.",
  scope: "webhooks:write",
  answer: enveloped({
    message: "The IPN secret",
    data: ipnSecret,
    description: "The secret.",
    example: EXAMPLE_IPN_SECRET,
  }),
  run: async ({ gateway, caller }) => {
    const { secret } = await gateway.webhookEndpoints.ipnSecret(caller)
    return { secret }
  },
})
