import { operation } from "../../../../../v2-kit/operation"
import {
  AMOUNT,
  EXAMPLE,
  REFUSED,
  changeSchema,
  presentSubscription,
  readSubscriptionChange,
  subscription,
} from "../resource"
import { TERMS } from "../terms"
import { bare } from "../../../../../v2-kit/answers"

export const GET = operation({
  id: "getSubscription",
  tag: "Subscriptions",
  summary: "Get a subscription",
  scope: "subscriptions:read",
  service: "subscriptions",
  answer: bare({ data: subscription, description: "The subscription as it is now.", example: EXAMPLE }),
  codes: ["SUBSCRIPTION_NOT_FOUND"],
  run: async ({ gateway, caller, params }) =>
    presentSubscription(await gateway.subscriptions.retrieve(caller, params.subscription_id), caller),
})

/** Changes the terms from the next cycle on. */
export const PATCH = operation({
  id: "updateSubscription",
  tag: "Subscriptions",
  summary: "Change a subscription",
  description:
    "From the next period on. What is paid, and what has failed, keeps its amount and dates. `billing_cycles: 0` takes an end away.",
  scope: "subscriptions:write",
  service: "subscriptions",
  body: { name: "SubscriptionChange", schema: changeSchema, notes: TERMS, example: { amount: "1400.00" } },
  answer: bare({
    data: subscription,
    description: "The changed subscription.",
    example: { ...EXAMPLE, amount: "1400.00" },
  }),
  codes: [...REFUSED, ...AMOUNT],
  run: async ({ gateway, caller, params, body }) => {
    const row = await gateway.subscriptions.update(caller, params.subscription_id, readSubscriptionChange(body))
    return presentSubscription(row, caller)
  },
})
