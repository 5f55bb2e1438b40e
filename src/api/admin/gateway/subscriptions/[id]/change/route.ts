import { readChange } from "../../../../../api/v2/payments/subscriptions/[subscription_id]/change/resource"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentPreview, presentScheduled, presentSubscription } from "../../resource"

/** What a switch would cost: `subscription_plan_id`, `quantity`, `when` (now if it is not said), `proration`, as of `POST`. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, query }) => {
  const { subscription_plan_id: plan, quantity, when = "now", proration } = query
  const numbers = { subscription_plan_id: numberIn(plan), quantity: numberIn(quantity) }
  const wanted = readChange({ ...numbers, when, proration })
  return { preview: presentPreview(await gateway.subscriptionChanges.preview(tenant, params.id, wanted)) }
})

/** The number in a query; what is none is refused as it stands. */
function numberIn(text: unknown): unknown {
  return typeof text === "string" && /^[0-9]{1,10}$/.test(text) ? Number(text) : text
}

/** Switches to another plan or quantity, now or with the next period; `amount_due` is what the form has shown. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  const row = await gateway.subscriptionChanges.change(tenant, params.id, readChange(body))
  return { subscription: { ...presentSubscription(row), scheduled_change: presentScheduled(row) } }
})
