import utils from "@medusajs/framework/utils"
import { PLANS } from "./catalogue.mjs"

const { ContainerRegistrationKeys, Modules } = utils

/**
 * The plans that variants of the shop are sold on, of the shop's own merchant. Each is made and linked once: what an
 * admin has made of it, or of the link, stays. A variant has one plan only, so one that has any is left alone.
 */
export async function ensurePlans(container) {
  const gateway = container.resolve("gateway")
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const merchant = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
  const scope = await gateway.merchants.scope(merchant.id, "sandbox")
  for (const { sku, name, description, price, unit } of PLANS) {
    const { data: variants } = await query.graph({ entity: "variant", fields: ["id"], filters: { sku } })
    const [{ id: product_variant_id }] = variants
    const { data: links } = await query.graph({
      entity: "product_variant_gateway_plan",
      fields: ["gateway_plan_id"],
      filters: { product_variant_id },
    })
    if (links.length > 0 || (await wasLinkedBefore(gateway, scope, product_variant_id))) {
      continue
    }
    const terms = {
      plan_name: name,
      plan_description: description,
      amount: BigInt(price * 100),
      currency: "BDT",
      interval_count: 1,
      interval_unit: unit,
      trial_period_days: null,
      trial_amount: null,
      meta_data: { demo_sku: sku },
    }
    // Asked for under the same name at every start, it is the same plan, whatever has become of it.
    const plan = await gateway.plans.create(scope, terms, `demo:${sku}`)
    const link = { [Modules.PRODUCT]: { product_variant_id }, gateway: { gateway_plan_id: plan.id } }
    await container.resolve(ContainerRegistrationKeys.LINK).create(link)
    await gateway.plans.variantLinked(scope, product_variant_id, { before: null, after: plan.uuid })
  }
}

/** The audit log remembers every link there was: one that an admin has removed stays away. */
async function wasLinkedBefore(gateway, scope, variant_id) {
  const filter = { q: variant_id, action: "variant_plan.", order: { descending: true } }
  const { rows } = await gateway.auditLog.list(scope, filter, { limit: 1, offset: 0 })
  return rows.length > 0
}
