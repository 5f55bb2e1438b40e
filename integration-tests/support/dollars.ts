import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { createRegionsWorkflow, createTaxRegionsWorkflow } from "@medusajs/medusa/core-flows"
import { ADDRESS, PROVIDER } from "./carts"
import type { Store } from "./store"

/** What makes a cart of `CartShop.cart` one of the region. */
export type RegionOfCart = { region_id: string; shipping_address: object; billing_address: object }

/** Region and delivery of another currency in the shop under test, once. `country`: one that has no region yet. */
export async function sellAbroad(
  { container, db }: Store,
  { currency, country, prices, delivery }: Abroad
): Promise<RegionOfCart> {
  const address = { ...ADDRESS, country_code: country }
  const known = await db("region")
    .where({ name: `Abroad ${country}` })
    .first()
  if (known !== undefined) {
    return { region_id: known.id, shipping_address: address, billing_address: address }
  }
  const [region] = (
    await createRegionsWorkflow(container).run({
      input: {
        regions: [
          { name: `Abroad ${country}`, currency_code: currency, countries: [country], payment_providers: [PROVIDER] },
        ],
      },
    })
  ).result
  await createTaxRegionsWorkflow(container).run({ input: [{ country_code: country, provider_id: "tp_system" }] })
  const fulfillment = container.resolve(Modules.FULFILLMENT)
  const [zone] = await fulfillment.listServiceZones({ name: "Inside Dhaka" })
  await fulfillment.createGeoZones([{ type: "country", country_code: country, service_zone_id: zone.id }])
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const pricing = container.resolve(Modules.PRICING)
  const price = (price_set: { id: string } | undefined, amount: number) =>
    pricing.addPrices({ priceSetId: price_set?.id ?? "", prices: [{ currency_code: currency, amount }] })
  for (const [sku, amount] of Object.entries(prices)) {
    const { data } = await query.graph({ entity: "variant", fields: ["price_set.id"], filters: { sku } })
    await price(data[0].price_set as { id: string }, amount)
  }
  const { data: options } = await query.graph({
    entity: "shipping_option",
    fields: ["price_set_link.price_set_id"],
    filters: { name: "Inside Dhaka" },
  })
  const link = options[0] as unknown as { price_set_link: { price_set_id: string } }
  await price({ id: link.price_set_link.price_set_id }, delivery)
  return { region_id: region.id, shipping_address: address, billing_address: address }
}

type Abroad = { currency: string; country: string; prices: Record<string, number>; delivery: number }

/** The United States: a cushion of 12.25, tea of 0.30 and a poster of 9.00 in dollars, the delivery free. */
export const DOLLARS: Abroad = {
  currency: "usd",
  country: "us",
  prices: { "CUSHION-40": 12.25, "TEA-250": 0.3, "POSTER-50": 9 },
  delivery: 0,
}
/** Japan, whose currency has no decimals. */
export const YEN: Abroad = { currency: "jpy", country: "jp", prices: { "CUSHION-40": 1_800 }, delivery: 0 }
