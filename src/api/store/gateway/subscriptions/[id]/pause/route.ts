import { ownSubscription, presentOwn } from "../../resource"

/** As `/api/v2` does it, with the same rules and refusals (contract 4.6). */
export const POST = ownSubscription(async ({ gateway, owner, row }) => ({
  subscription: presentOwn({ ...row, ...(await gateway.subscriptions.pause(owner, row.id)) }),
}))
