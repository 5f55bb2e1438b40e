import { ownSubscription, presentOwn } from "../../resource"

/** Undoes a cancellation at the period's end, until then. */
export const POST = ownSubscription(async ({ gateway, owner, row }) => ({
  subscription: presentOwn({ ...row, ...(await gateway.subscriptions.uncancel(owner, row.id)) }),
}))
