import type { MedusaContainer } from "@medusajs/framework/types"
import type { AuthenticatedMedusaRequest, MedusaResponse, MedusaStoreRequest } from "@medusajs/framework/http"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import { gatewayIn } from "../../../../modules/gateway"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { Plan } from "../../../../modules/gateway/plans/service"
import { billed, plansOf, type Person } from "../../../../providers/gateway-payment/plan-lines"
import { storeScope } from "../../../gateway/store-scope"
import { textOf } from "../../../../modules/gateway/kernel/text/text"

type Variant = { id: string; product?: { status: string; sales_channels?: { id: string }[] } | null }

/**
 * Which of these variants are subscriptions, and the price of one piece at each renewal: `?variant_id=a,b,c`. Variants
 * without a plan, and those that the storefront's key may not see, are left out. `is_sold: false`: the plan is
 * archived, so the variant cannot be paid at present. To a signed-in customer who had the plan's trial: `trial_refused`.
 */
export const GET = async (request: MedusaStoreRequest, response: MedusaResponse) => {
  const gateway = gatewayIn(request.scope)
  const channels = request.publishable_key_context?.sales_channel_ids ?? []
  const visible = await visibleOf(request.scope, idsOf(request.query.variant_id), channels)
  const query = request.scope.resolve(ContainerRegistrationKeys.QUERY)
  const plans =
    visible.length === 0 ? new Map<string, Plan>() : await plansOf(query, gateway, await storeScope(gateway), visible)
  const refused = await refusedOf(request, plans)
  response.set("Cache-Control", "no-store")
  response.json({
    variant_plans: [...plans].map(([variant_id, plan]) => ({
      variant_id,
      plan: { ...presentPlan(plan), ...(refused.has(plan.id) ? NO_TRIAL : {}) },
    })),
  })
}

/** What a signed-in customer who had the trial is offered: `amount` is due at once. */
const NO_TRIAL = { trial_period_days: null, trial_refused: "had_trial" }

/** The plans whose trial the signed-in customer does not get again. */
async function refusedOf(request: MedusaStoreRequest, plans: ReadonlyMap<string, Plan>): Promise<ReadonlySet<string>> {
  const id = (request as Partial<AuthenticatedMedusaRequest>).auth_context?.actor_id
  if (!id || plans.size === 0) {
    return new Set()
  }
  const gateway = gatewayIn(request.scope)
  const query = request.scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "customer", fields: ["id", "email", "phone"], filters: { id } })
  const [customer] = data as Person[]
  if (customer === undefined) {
    return new Set()
  }
  const { email, phone_e164 } = billed(customer, null)
  const person = { email, phone_e164, store_customer_id: id }
  return (
    (await gateway.trials.refusedInStore(await storeScope(gateway), person, [...plans.values()], null)) ?? new Set()
  )
}

/** As comma-separated text, or repeated. */
function idsOf(given: unknown): string[] {
  const ids = [given ?? []]
    .flat(2)
    .flatMap((part) => textOf(part).split(","))
    .filter(Boolean)
  if (ids.length === 0 || ids.length > LIMITS.pageSizeMax) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `variant_id must name 1 to ${LIMITS.pageSizeMax} variants, separated by commas`
    )
  }
  return ids
}

/** Published, and in a sales channel of the storefront's key. */
async function visibleOf(container: MedusaContainer, ids: string[], channels: readonly string[]): Promise<string[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ["id", "product.status", "product.sales_channels.id"]
  const { data } = await query.graph({ entity: "variant", fields, filters: { id: ids } })
  const variants = data as unknown as Variant[]
  const isVisible = ({ product }: Variant) =>
    product?.status === "published" && (product.sales_channels ?? []).some(({ id }) => channels.includes(id))
  return variants.filter(isVisible).map(({ id }) => id)
}

function presentPlan(plan: Plan): object {
  return {
    id: plan.uuid,
    plan_name: plan.plan_name,
    amount: formatAmount(plan.amount_minor),
    currency: plan.currency,
    interval_count: plan.interval_count,
    interval_unit: plan.interval_unit,
    trial_period_days: plan.trial_period_days,
    ...(plan.billing_cycles === null ? {} : { billing_cycles: plan.billing_cycles }),
    is_sold: plan.is_active,
  }
}
