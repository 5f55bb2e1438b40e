import { ownSubscription, presentOwn, readOtherPlan } from "../../resource"

/** Switches to another plan of the family with the next period: `subscription_plan_id`, and the `amount` that was shown. */
export const POST = ownSubscription(async ({ gateway, owner, row, body }) => ({
  subscription: presentOwn({
    ...row,
    ...(await gateway.subscriptionChanges.change(owner, row.id, readOtherPlan(body))),
  }),
}))
