import { ownSubscription, presentOwn, presentReasons } from "../resource"

export const GET = ownSubscription(async (context) => ({
  subscription: presentOwn(context.row),
  cancellation_reasons: await presentReasons(context),
}))
