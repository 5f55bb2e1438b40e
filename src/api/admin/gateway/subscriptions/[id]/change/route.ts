import { readChange } from "../../../../../api/v2/payments/subscriptions/[subscription_id]/change/resource"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentPreview, presentScheduled, presentSubscription } from "../../resource"

/** What a switch would cost: `subscription_plan_id`, `when` (now if it is not said), `proration`, as of `POST`. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, query }) => {
  const { subscription_plan_id: plan, when = "now", proration } = query
  const wanted = readChange({ subscription_plan_id: plan === undefined ? undefined : Number(plan), when, proration })
  return { preview: presentPreview(await gateway.subscriptionChanges.preview(tenant, params.id, wanted)) }
})

/** Switches to another plan, now or with the next period; `amount_due` is what the form has shown. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  const row = await gateway.subscriptionChanges.change(tenant, params.id, readChange(body))
  return { subscription: { ...presentSubscription(row), scheduled_change: presentScheduled(row) } }
})
