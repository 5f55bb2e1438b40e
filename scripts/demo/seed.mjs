import flows from "@medusajs/medusa/core-flows"
import utils from "@medusajs/framework/utils"
import { DELIVERIES, PRODUCTS, STOCK } from "./catalogue.mjs"
import { ensureTranslations } from "./translations.mjs"

const { ContainerRegistrationKeys, Modules, ProductStatus } = utils
const PROVIDERS = ["pp_gateway_default", "pp_gateway_cod"]
const SHOP = "Shapla"

/**
 * Prepares the demo store. Every piece is looked up first and made when it is missing, so that an interrupted start
 * is finished by the next one and a second start changes nothing.
 * @param container Medusa's container
 * @param imageUrl base address of the product pictures; products keep absolute addresses, for shops on other origins
 * @returns `{ publishable_key, region_id }`
 */
export async function seedStore(container, imageUrl) {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const find = async (entity, filters, fields = ["id"]) => (await query.graph({ entity, fields, filters })).data[0]
  const run = async (workflow, input) => (await workflow(container).run({ input })).result
  const context = { container, query, find, run, imageUrl }

  const store = await find("store", {}, ["id", "name", "default_sales_channel_id"])
  const channel = store.default_sales_channel_id
  const region = await ensureRegion(context)
  const location = await ensureLocation(context, channel)
  const profile = await ensureDelivery(context, region, location)
  await ensureProducts(context, { channel, location, profile })
  await ensureTranslations(container)
  await run(flows.updateStoresWorkflow, {
    selector: { id: store.id },
    update: {
      name: SHOP,
      supported_currencies: [{ currency_code: "bdt", is_default: true }],
      default_region_id: region.id,
      default_location_id: location.id,
    },
  })
  const key = await ensurePublishableKey(context, channel)
  return { publishable_key: key.token, region_id: region.id }
}

async function ensureRegion({ find, run }) {
  const existing = await find("region", { name: "Bangladesh" }, ["id", "payment_providers.id"])
  if (existing) {
    const present = existing.payment_providers.map(({ id }) => id)
    if (PROVIDERS.some((id) => !present.includes(id))) {
      const update = { payment_providers: [...new Set([...present, ...PROVIDERS])] }
      await run(flows.updateRegionsWorkflow, { selector: { id: existing.id }, update })
    }
    return existing
  }
  if (!(await find("tax_region", { country_code: "bd" }))) {
    await run(flows.createTaxRegionsWorkflow, [{ country_code: "bd", provider_id: "tp_system" }])
  }
  const region = { name: "Bangladesh", currency_code: "bdt", countries: ["bd"], payment_providers: PROVIDERS }
  const [created] = await run(flows.createRegionsWorkflow, { regions: [region] })
  return created
}

async function ensureLocation({ container, find, run }, channel) {
  const name = "Dhaka warehouse"
  let location = await find("stock_location", { name })
  if (!location) {
    const address = { address_1: "Tejgaon Industrial Area", city: "Dhaka", postal_code: "1208", country_code: "bd" }
    ;[location] = await run(flows.createStockLocationsWorkflow, { locations: [{ name, address }] })
  }
  // Linking what is linked already changes nothing.
  await container.resolve(ContainerRegistrationKeys.LINK).create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_provider_id: "manual_manual" },
  })
  await run(flows.linkSalesChannelsToStockLocationWorkflow, { id: location.id, add: [channel] })
  return location
}

async function ensureDelivery({ container, find, run }, region, location) {
  let profile = await find("shipping_profile", { type: "default" })
  if (!profile) {
    ;[profile] = await run(flows.createShippingProfilesWorkflow, { data: [{ name: "Default", type: "default" }] })
  }
  const name = "Delivery by district"
  const fulfillment = container.resolve(Modules.FULFILLMENT)
  let [set] = await fulfillment.listFulfillmentSets({ name }, { relations: ["service_zones"] })
  if (!set) {
    const service_zones = DELIVERIES.map((delivery) => ({ name: delivery.name, geo_zones: zonesOf(delivery) }))
    set = await fulfillment.createFulfillmentSets({ name, type: "shipping", service_zones })
  }
  await container.resolve(ContainerRegistrationKeys.LINK).create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_set_id: set.id },
  })
  for (const { name: option, code, description, price } of DELIVERIES) {
    if (await find("shipping_option", { name: option })) {
      continue
    }
    const shippingOption = {
      name: option,
      price_type: "flat",
      provider_id: "manual_manual",
      service_zone_id: set.service_zones.find((zone) => zone.name === option).id,
      shipping_profile_id: profile.id,
      type: { label: option, description, code },
      prices: [
        { currency_code: "bdt", amount: price },
        { region_id: region.id, amount: price },
      ],
      rules: [
        { attribute: "enabled_in_store", value: "true", operator: "eq" },
        { attribute: "is_return", value: "false", operator: "eq" },
      ],
    }
    await run(flows.createShippingOptionsWorkflow, [shippingOption])
  }
  return profile
}

function zonesOf({ divisions = [], districts }) {
  const country_code = "bd"
  return [
    ...divisions.map((province_code) => ({ type: "province", country_code, province_code })),
    ...Object.entries(districts).flatMap(([province_code, names]) =>
      names.map((city) => ({ type: "city", country_code, province_code, city }))
    ),
  ]
}

async function ensureProducts(context, { channel, location, profile }) {
  const { find, run, imageUrl } = context
  for (const { image, variants, ...product } of PRODUCTS) {
    const url = `${imageUrl}/${image}`
    const existing = await find("product", { handle: product.handle }, ["id", "thumbnail"])
    if (existing && existing.thumbnail !== url) {
      const update = { thumbnail: url, images: [{ url }] }
      await run(flows.updateProductsWorkflow, { selector: { id: existing.id }, update })
    }
    if (!existing) {
      const input = {
        ...product,
        status: ProductStatus.PUBLISHED,
        thumbnail: url,
        images: [{ url }],
        shipping_profile_id: profile.id,
        sales_channels: [{ id: channel }],
        options: [{ title: "Type", values: variants.map(({ title }) => title) }],
        variants: variants.map(({ title, sku, price }) => ({
          title,
          sku,
          options: { Type: title },
          manage_inventory: true,
          prices: [{ currency_code: "bdt", amount: price }],
        })),
      }
      await run(flows.createProductsWorkflow, { products: [input] })
    }
  }
  await ensureStock(context, location)
}

async function ensureStock({ query, run }, location) {
  const sku = PRODUCTS.flatMap(({ variants }) => variants.map((variant) => variant.sku))
  const fields = ["id", "location_levels.location_id"]
  const { data: items } = await query.graph({ entity: "inventory_item", fields, filters: { sku } })
  const levels = items
    .filter((item) => !item.location_levels.some((level) => level.location_id === location.id))
    .map((item) => ({ inventory_item_id: item.id, location_id: location.id, stocked_quantity: STOCK }))
  if (levels.length) {
    await run(flows.createInventoryLevelsWorkflow, { inventory_levels: levels })
  }
}

async function ensurePublishableKey({ find, run }, channel) {
  let key = await find("api_key", { type: "publishable", title: SHOP }, ["id", "token"])
  if (!key) {
    const input = { api_keys: [{ title: SHOP, type: "publishable", created_by: "" }] }
    ;[key] = await run(flows.createApiKeysWorkflow, input)
  }
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel] })
  return key
}
