/*
 * How the demo's shop takes cash on delivery: inside Dhaka everything at the door, elsewhere the delivery charge in
 * advance, so that a visitor can try both.
 */
const RULES = [{ advance: "none", districts: ["Dhaka"] }, { advance: "delivery" }]

/** Sets the rules of the shop's own merchant, unless it has some already: an admin's changes stay. */
export async function ensureCash(container) {
  const gateway = container.resolve("gateway")
  const merchant = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
  const tenant = { merchant_id: merchant.id, environment: "sandbox" }
  const { rules } = await gateway.cashSettings.retrieve(tenant)
  if (rules.length === 0) {
    await gateway.cashSettings.update(tenant, { rules: RULES })
  }
}
