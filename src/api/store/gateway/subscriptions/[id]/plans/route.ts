import { ownSubscription, presentOffer } from "../../resource"

/** The plans that the goods may be switched to with the next period, and what a renewal costs on each. */
export const GET = ownSubscription(async ({ gateway, row }) => ({
  plans: (await gateway.storeSubscriptions.plansFor(row)).map(presentOffer),
}))
