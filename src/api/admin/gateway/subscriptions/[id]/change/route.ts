import { readChange } from "../../../../../api/v2/payments/subscriptions/[subscription_id]/change/resource"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentPreview, presentSubscription } from "../../resource"

/** What a switch would cost: `subscription_plan_id`, `when` (now if it is not said), `proration`, as of `POST`. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, query }) => {
  const { subscription_plan_id: plan, when = "now", proration } = query
  const wanted = readChange({ subscription_plan_id: plan === undefined ? undefined : Number(plan), when, proration })
  return { preview: presentPreview(await gateway.subscriptionChanges.preview(tenant, params.id, wanted)) }
})

/** Switches to another plan, now or with the next period. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => ({
  subscription: presentSubscription(await gateway.subscriptionChanges.change(tenant, params.id, readChange(body))),
}))
