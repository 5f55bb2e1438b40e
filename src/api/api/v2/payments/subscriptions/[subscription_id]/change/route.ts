import { operation } from "../../../../../../v2-kit/operation"
import { bare } from "../../../../../../v2-kit/answers"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { EXAMPLE, REFUSED, presentSubscription, subscription } from "../../resource"
import { CHANGE, CHANGE_CODES, readChange } from "./resource"

/** Switches to another plan or other terms (docs/decisions/11). */
export const POST = operation({
  id: "switchSubscription",
  tag: "Subscriptions",
  summary: "Switch to another plan",
  description: [
    "Now or with the next period. With `now` and `credit` the unused days of the paid period are taken off the new",
    "price, and the rest is charged at once. What is left over pays later periods; nothing is paid out. A charge that",
    "fails leaves the subscription past due on the new terms.",
  ].join(" "),
  scope: "subscriptions:write",
  service: "subscriptions",
  body: CHANGE,
  answer: bare({
    data: subscription,
    description: "The subscription on its new terms.",
    example: { ...EXAMPLE, subscription_plan_id: 1002, amount: "2500.00" },
  }),
  codes: CHANGE_CODES,
  run: async (context) => {
    const { gateway, caller, params, body } = context
    const wanted = readChange(body)
    const row = await gateway.subscriptionChanges.change(repeatable(context), params.subscription_id, wanted)
    return presentSubscription(row, caller)
  },
})

export const DELETE = operation({
  id: "takeBackSubscriptionSwitch",
  tag: "Subscriptions",
  summary: "Take a scheduled switch back",
  description: "Until the next period begins. Without a scheduled switch the subscription is answered as it is.",
  scope: "subscriptions:write",
  service: "subscriptions",
  answer: bare({ data: subscription, description: "The subscription, which keeps its terms.", example: EXAMPLE }),
  codes: REFUSED,
  run: async (context) => {
    const { gateway, caller, params } = context
    const row = await gateway.subscriptionChanges.takeBack(repeatable(context), params.subscription_id)
    return presentSubscription(row, caller)
  },
})
