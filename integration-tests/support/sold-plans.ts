import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../src/modules/gateway"
import type { Tenant } from "../../src/modules/gateway/kernel/types"
import type { CartShop } from "./carts"
import type { Store } from "./store"

/** Creates a monthly plan with this price (poisha) per piece, and sells the variant of this SKU on it. */
export async function sellMonthly(
  store: Store,
  shop: CartShop,
  tenant: Tenant,
  sku: string,
  amount: bigint
): Promise<string> {
  const plan = await shop.gateway.plans.create(
    { ...tenant, now: new Date() },
    {
      plan_name: `${sku} a month`,
      plan_description: null,
      amount,
      currency: "BDT",
      interval_count: 1,
      interval_unit: "MONTH",
      trial_period_days: null,
      trial_amount: null,
      meta_data: {},
    }
  )
  const product_variant_id = await shop.variantId(sku)
  await store.container
    .resolve(ContainerRegistrationKeys.LINK)
    .create({ [Modules.PRODUCT]: { product_variant_id }, [GATEWAY_MODULE]: { gateway_plan_id: plan.id } })
  return product_variant_id
}
