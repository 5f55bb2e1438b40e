import { operation } from "../../../../../v2-kit/operation"
import { OPEN, paymentLink, presentLink } from "../resource"
import { enveloped } from "../../../../../v2-kit/answers"

export const GET = operation({
  id: "getPaymentLink",
  tag: "Payment links",
  summary: "Get a payment link",
  scope: "payments:read",
  service: "checkout",
  answer: enveloped({
    message: "Payment link",
    data: paymentLink,
    description: "The link as it is now.",
    example: OPEN,
  }),
  codes: ["LINK_NOT_FOUND"],
  run: async ({ gateway, caller, params, publicUrl }) => {
    const link = await gateway.paymentLinks.retrieve(caller, params.link_id)
    return presentLink(link, caller.now, publicUrl)
  },
})
