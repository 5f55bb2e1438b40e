import { ownSubscription, presentOwn } from "../../resource"

/** Takes a switch with the next period back; without one nothing changes. */
export const POST = ownSubscription(async ({ gateway, owner, row }) => ({
  subscription: presentOwn({ ...row, ...(await gateway.subscriptionChanges.takeBack(owner, row.id)) }),
}))
