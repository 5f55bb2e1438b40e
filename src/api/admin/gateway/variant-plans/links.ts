import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { messageOf } from "../../../../i18n/message"
import { GATEWAY_MODULE, gatewayIn } from "../../../../modules/gateway"
import { GatewayError } from "../../../../modules/gateway/kernel/errors"
import type { Plan } from "../../../../modules/gateway/plans/service"
import type { Scope } from "../../../../modules/gateway/kernel/types"
import {
  planLinksOf,
  plansOf,
  VARIANT_PLAN_LINK,
  type PlanLink,
} from "../../../../providers/gateway-payment/plan-lines"
import { presentPlanLine } from "../../../api/v2/payments/subscription-plans/resource"
import type { AdminContext } from "../../../admin-kit/endpoint"
import { storeScope } from "../../../gateway/store-scope"

/** `plan` is null for a variant without a plan, `variant` for one that has been deleted. */
type VariantPlan = { variant_id: string; variant: SoldVariant | null; plan: Plan | null }
type SoldVariant = { title: string; sku: string | null; product_id: string; product_title: string }
type Page = { limit: number; offset: number }
type Actor = AdminContext["actor"]

/** This changes what shoppers are charged, so a person must be responsible for it: keys are refused. */
export async function scopeForUser({
  gateway,
  actor,
}: AdminContext): Promise<Scope & { actor: Actor; merchant_number: number }> {
  if (actor.type !== "user") {
    throw new GatewayError("INSUFFICIENT_SCOPE", messageOf("refusal.variant_links_by_user"))
  }
  return { ...(await storeScope(gateway)), actor }
}

/** The variants of a product in its own order, each with its plan. */
export async function listOfProduct(
  container: MedusaContainer,
  scope: Scope,
  product_id: string,
  { limit, offset }: Page
): Promise<{ rows: VariantPlan[]; count: number }> {
  const [variants, count] = await container
    .resolve(Modules.PRODUCT)
    .listAndCountProductVariants(
      { product_id },
      { select: ["id"], take: limit, skip: offset, order: { variant_rank: "ASC", id: "ASC" } }
    )
  const ids = variants.map(({ id }) => id)
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const plans = await plansOf(query, gatewayIn(container), scope, ids)
  const described = await describe(container, ids)
  const rows = ids.map((variant_id) => ({
    variant_id,
    variant: described.get(variant_id) ?? null,
    plan: plans.get(variant_id) ?? null,
  }))
  return { rows, count }
}

/** Every variant that is sold on a plan, or those of one plan, by the variant's id. */
export async function listVariantPlans(
  container: MedusaContainer,
  scope: Scope,
  filter: { plan?: Plan },
  page: Page
): Promise<{ rows: VariantPlan[]; count: number }> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data, metadata } = await query.graph({
    entity: VARIANT_PLAN_LINK,
    fields: ["product_variant_id", "gateway_plan_id"],
    filters: filter.plan === undefined ? {} : { gateway_plan_id: filter.plan.id },
    pagination: { take: page.limit, skip: page.offset, order: { product_variant_id: "ASC" } },
  })
  const links = data as unknown as PlanLink[]
  const plans = await gatewayIn(container).plans.byRowIds(
    scope,
    links.map(({ gateway_plan_id }) => gateway_plan_id)
  )
  const described = await describe(
    container,
    links.map(({ product_variant_id }) => product_variant_id)
  )
  const rows = links.flatMap(({ product_variant_id: variant_id, gateway_plan_id }) => {
    const plan = plans.find(({ id }) => id === gateway_plan_id)
    return plan === undefined ? [] : [{ variant_id, variant: described.get(variant_id) ?? null, plan }]
  })
  return { rows, count: metadata?.count ?? rows.length }
}

/** The names of variants, with their products. */
export async function describe(container: MedusaContainer, ids: readonly string[]): Promise<Map<string, SoldVariant>> {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "product_variant",
    fields: ["id", "title", "sku", "product.id", "product.title"],
    filters: { id: [...ids] },
  })
  const variants = data as unknown as {
    id: string
    title: string
    sku: string | null
    product: { id: string; title: string }
  }[]
  return new Map(
    variants.map(({ id, title, sku, product }) => [
      id,
      { title, sku, product_id: product.id, product_title: product.title },
    ])
  )
}

/** Replaces the plan of a variant, or removes it. Throws INVALID_REQUEST for an unknown variant. */
export async function setVariantPlan(
  container: MedusaContainer,
  scope: Scope & { actor: Actor },
  variant_id: string,
  plan: Plan | null
): Promise<void> {
  const gateway = gatewayIn(container)
  const [variant] = await container.resolve(Modules.PRODUCT).listProductVariants({ id: variant_id }, { select: ["id"] })
  if (variant === undefined && plan !== null) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.variant_unknown"), { field: "variant_id" })
  }
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const before = (await plansOf(query, gateway, scope, [variant_id])).get(variant_id) ?? null
  if (before?.id === plan?.id) {
    return
  }
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  // Medusa allows one link. A link to a plan of another merchant or environment counts as none here, but must be
  // removed too.
  const inTheWay =
    plan === null
      ? [before?.id ?? ""]
      : (await planLinksOf(query, [variant_id])).map(({ gateway_plan_id }) => gateway_plan_id)
  for (const plan_id of inTheWay) {
    await link.dismiss(linkOf(variant_id, plan_id))
  }
  if (plan !== null) {
    await link.create(linkOf(variant_id, plan.id))
  }
  await gateway.plans.variantLinked(scope, variant_id, { before: before?.uuid ?? null, after: plan?.uuid ?? null })
}

export function presentVariantPlan({ variant_id, variant, plan }: VariantPlan, scope: { merchant_number: number }) {
  return { variant_id, variant, plan: plan && presentPlanLine(plan, scope) }
}

function linkOf(product_variant_id: string, gateway_plan_id: string): Record<string, Record<string, string>> {
  return { [Modules.PRODUCT]: { product_variant_id }, [GATEWAY_MODULE]: { gateway_plan_id } }
}
