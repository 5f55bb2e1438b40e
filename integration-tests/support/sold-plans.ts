import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../src/modules/gateway"
import type { Tenant } from "../../src/modules/gateway/kernel/types"
import { VARIANT_PLAN_LINK } from "../../src/providers/gateway-payment/plan-lines"
import type { CartShop } from "./carts"
import type { Store } from "./store"

/** A monthly plan without a trial; the amount in poisha. */
export function monthly(plan_name: string, amount: bigint) {
  return {
    plan_name,
    plan_description: null,
    amount,
    currency: "BDT" as const,
    interval_count: 1,
    interval_unit: "MONTH" as const,
    trial_period_days: null,
    trial_amount: null,
    meta_data: {},
  }
}

/** The link by which a variant is sold on a plan. */
export const soldOn = (product_variant_id: string, gateway_plan_id: string) => ({
  [Modules.PRODUCT]: { product_variant_id },
  [GATEWAY_MODULE]: { gateway_plan_id },
})

/**
 * Takes the variants of these SKUs off their plans. Test files share a store: to a guest, the others could not sell what
 * one of them sells on a plan.
 */
export async function sellWithoutPlans(store: Store, shop: CartShop, ...skus: string[]): Promise<void> {
  const { data: sold } = await store.container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: VARIANT_PLAN_LINK,
    fields: ["gateway_plan_id", "product_variant_id"],
    filters: { product_variant_id: await Promise.all(skus.map((sku) => shop.variantId(sku))) },
  })
  const links = sold.map((link) => soldOn(link.product_variant_id as string, link.gateway_plan_id as string))
  await store.container.resolve(ContainerRegistrationKeys.LINK).dismiss(links)
}

/**
 * Creates a monthly plan with this price (poisha) per piece, and sells the variant of this SKU on it alone. Customers
 * switch between plans of one family.
 */
export async function sellMonthly(
  store: Store,
  shop: CartShop,
  tenant: Tenant,
  sku: string,
  amount: bigint,
  family: string | null = null
): Promise<string> {
  const plan = await shop.gateway.plans.create(
    { ...tenant, now: new Date() },
    { ...monthly(`${sku} a month`, amount), family }
  )
  const product_variant_id = await shop.variantId(sku)
  await sellWithoutPlans(store, shop, sku)
  await store.container.resolve(ContainerRegistrationKeys.LINK).create(soldOn(product_variant_id, plan.id))
  return product_variant_id
}

/** `sellMonthly` on a plan with a trial of 14 days: the variant's own price is that of the trial. */
export async function sellWithTrial(
  store: Store,
  shop: CartShop,
  tenant: Tenant,
  { sku, amount, family = null }: { sku: string; amount: bigint; family?: string | null }
): Promise<void> {
  await sellMonthly(store, shop, tenant, sku, amount)
  const plans = store.db("gateway_plan").where({ plan_name: `${sku} a month` })
  const { id } = await plans.orderBy("number", "desc").first("id")
  await store.db("gateway_plan").where({ id }).update({ trial_period_days: 14, family })
}
