import utils from "@medusajs/framework/utils"
import { PLANS } from "./catalogue.mjs"

const { ContainerRegistrationKeys, Modules } = utils

/**
 * Creates the plans of the shop's variants, for the shop's own merchant. Each is created and linked once: an admin's
 * later changes to it, or to the link, stay. A variant has one plan only, so one that has any is left alone.
 */
export async function ensurePlans(container) {
  const gateway = container.resolve("gateway")
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const merchant = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
  const scope = await gateway.merchants.scope(merchant.id, "sandbox")
  for (const { sku, name, nameBn, description, price, unit } of PLANS) {
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
      meta_data: { demo_sku: sku, plan_name_bn: nameBn },
    }
    // The same idempotency id at every start returns the same plan, whatever its state.
    const plan = await gateway.plans.create(scope, terms, `demo:${sku}`)
    const link = { [Modules.PRODUCT]: { product_variant_id }, gateway: { gateway_plan_id: plan.id } }
    await container.resolve(ContainerRegistrationKeys.LINK).create(link)
    await gateway.plans.variantLinked(scope, product_variant_id, { before: null, after: plan.uuid })
  }
}

/** The audit log has every link that ever existed: one that an admin has removed is not made again. */
async function wasLinkedBefore(gateway, scope, variant_id) {
  const filter = { q: variant_id, action: "variant_plan.", order: { descending: true } }
  const { rows } = await gateway.auditLog.list(scope, filter, { limit: 1, offset: 0 })
  return rows.length > 0
}
