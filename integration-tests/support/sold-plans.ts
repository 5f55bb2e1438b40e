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

/** Sets the number of pieces in stock, reserved ones included. */
export async function setStock(store: Store, sku: string, quantity: number): Promise<void> {
  await store.db.raw(
    `UPDATE inventory_level SET stocked_quantity = :quantity, raw_stocked_quantity = jsonb_build_object('value', :quantity::text, 'precision', 20)
     FROM inventory_item i WHERE i.id = inventory_item_id AND i.sku = :sku`,
    { quantity, sku }
  )
}

/** Pieces in stock that are not reserved. */
export async function freeStock(store: Store, sku: string): Promise<number> {
  const { rows } = await store.db.raw(
    `SELECT sum(stocked_quantity - reserved_quantity)::int AS free FROM inventory_level l
     JOIN inventory_item i ON i.id = l.inventory_item_id WHERE i.sku = ?`,
    [sku]
  )
  return rows[0].free
}
