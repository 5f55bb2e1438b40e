import { readCancellation } from "../../../../../api/v2/payments/subscriptions/[subscription_id]/cancel/resource"
import { ownSubscription, presentOwn } from "../../resource"

/** Cancels at the end of the paid period, or now: `cancel_at_period_end: false`. */
export const POST = ownSubscription(async ({ gateway, owner, row, body }) => ({
  subscription: presentOwn({
    ...row,
    ...(await gateway.subscriptions.cancel(owner, row.id, readCancellation(body, true))),
  }),
}))
