import { operation } from "../../../../../../v2-kit/operation"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { EXAMPLE, REFUSED, presentSubscription, subscription } from "../../resource"
import { bare } from "../../../../../../v2-kit/answers"

export const POST = operation({
  id: "resumeSubscription",
  tag: "Subscriptions",
  summary: "Resume a paused subscription",
  description: "The days that were paid for and not used come after the pause.",
  scope: "subscriptions:write",
  service: "subscriptions",
  answer: bare({ data: subscription, description: "The active subscription.", example: EXAMPLE }),
  codes: REFUSED,
  run: async (context) => {
    const { gateway, caller, params } = context
    return presentSubscription(await gateway.subscriptions.resume(repeatable(context), params.subscription_id), caller)
  },
})
