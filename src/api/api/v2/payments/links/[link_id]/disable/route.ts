import { operation } from "../../../../../../v2-kit/operation"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { OPEN, paymentLink, presentLink } from "../../resource"
import { enveloped } from "../../../../../../v2-kit/answers"

/** Nobody can pay the link any more; a payment that is under way goes on. */
export const POST = operation({
  id: "disablePaymentLink",
  tag: "Payment links",
  summary: "Disable a payment link",
  description: "Nobody can pay it any more. A payment that is under way goes on, and the link then reads as paid.",
  scope: "checkout:write",
  service: "checkout",
  answer: enveloped({
    message: "Payment link disabled",
    data: paymentLink,
    description: "The link is disabled.",
    example: { ...OPEN, status: "disabled", disabled_at: "2027-03-02T08:00:00.000Z" },
  }),
  codes: ["LINK_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  run: async (context) => {
    const { gateway, caller, params, publicUrl } = context
    const link = await gateway.paymentLinks.disable(repeatable(context), params.link_id)
    return presentLink(link, caller.now, publicUrl)
  },
})
