import utils from "@medusajs/framework/utils"
import { PLANS } from "./catalogue.mjs"

const { ContainerRegistrationKeys, Modules } = utils

/**
 * The plans that variants of the shop are sold on, of the shop's own merchant. Each is made once: what an admin has made
 * of it, or of the link, stays.
 */
export async function ensurePlans(container) {
  const gateway = container.resolve("gateway")
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const merchant = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
  const scope = await gateway.merchants.scope(merchant.id, "sandbox")
  const { rows } = await gateway.plans.list(scope, { include_inactive: true }, { per_page: 100, offset: 0 })
  for (const { sku, name, description, price, unit } of PLANS) {
    const known = rows.find(({ meta_data }) => meta_data.demo_sku === sku)
    if (known && known.meta_data.linked) {
      continue
    }
    const plan = known ?? (await gateway.plans.create(scope, {
      plan_name: name,
      plan_description: description,
      amount: BigInt(price * 100),
      currency: "BDT",
      interval_count: 1,
      interval_unit: unit,
      trial_period_days: null,
      trial_amount: null,
      meta_data: { demo_sku: sku },
    }))
    const { data } = await query.graph({ entity: "variant", fields: ["id"], filters: { sku } })
    const link = { [Modules.PRODUCT]: { product_variant_id: data[0].id }, gateway: { gateway_plan_id: plan.id } }
    await container.resolve(ContainerRegistrationKeys.LINK).create(link)
    // Only now: a start that is broken off before this links the variant the next time.
    await gateway.plans.update(scope, plan.uuid, { meta_data: { demo_sku: sku, linked: true } })
  }
}
