import { operation } from "../../../../../../v2-kit/operation"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { EXAMPLE, REFUSED, presentSubscription, subscription } from "../../resource"
import { bare } from "../../../../../../v2-kit/answers"

export const POST = operation({
  id: "pauseSubscription",
  tag: "Subscriptions",
  summary: "Pause a subscription",
  description: "Only while it is `ACTIVE`. Nothing is charged until it is resumed.",
  scope: "subscriptions:write",
  service: "subscriptions",
  answer: bare({
    data: subscription,
    description: "The paused subscription.",
    example: { ...EXAMPLE, status: "PAUSED" },
  }),
  codes: REFUSED,
  run: async (context) => {
    const { gateway, caller, params } = context
    return presentSubscription(await gateway.subscriptions.pause(repeatable(context), params.subscription_id), caller)
  },
})
