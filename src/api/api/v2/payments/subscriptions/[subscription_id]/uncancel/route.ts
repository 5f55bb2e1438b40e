import { operation } from "../../../../../../v2-kit/operation"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { EXAMPLE, REFUSED, presentSubscription, subscription } from "../../resource"
import { bare } from "../../../../../../v2-kit/answers"

/** Undoes a cancellation at the period's end (docs/decisions/11). */
export const POST = operation({
  id: "uncancelSubscription",
  tag: "Subscriptions",
  summary: "Undo a cancellation",
  description: [
    "Of a subscription that was cancelled for the end of its paid period, until then. It goes on as if it had not been",
    "cancelled. An overdue payment keeps its retries and gets its invoice again. A payment method that was removed",
    "meanwhile is not charged any more. One that is not cancelled is answered as it is.",
  ].join(" "),
  scope: "subscriptions:write",
  service: "subscriptions",
  answer: bare({ data: subscription, description: "The subscription, which goes on.", example: EXAMPLE }),
  codes: REFUSED,
  run: async (context) => {
    const { gateway, caller, params } = context
    return presentSubscription(
      await gateway.subscriptions.uncancel(repeatable(context), params.subscription_id),
      caller
    )
  },
})
