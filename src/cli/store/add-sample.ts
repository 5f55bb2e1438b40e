import type { ExecArgs, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, ProductStatus } from "@medusajs/framework/utils"
import {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createShippingOptionsWorkflow,
  createShippingProfilesWorkflow,
  createStockLocationsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
} from "@medusajs/medusa/core-flows"
import { addRegion, read, type AddedRegion } from "./add-region"
import { report } from "./medusa"

const HANDLE = "gateway-sample"
const PLACE = "Sample warehouse, Dhaka"
const DELIVERY = "Sample delivery in Bangladesh"
const KEY = "Sample storefront"
const COUNTRY = "bd"
const PRICE = 450
const DELIVERY_PRICE = 60

export type AddedSample = AddedRegion & { variant_id: string; publishable_key: string }

/** For `medusa exec` with the id of the gateway's payment provider. */
export default ({ container, args: [provider] }: ExecArgs): Promise<void> =>
  report(() => addSample(container, provider))

/**
 * For a store that has nothing to sell in taka yet: the region of add-region.ts, a sample product with its delivery, and a
 * publishable key. What is there stays as it is, so it may run again.
 */
async function addSample(container: MedusaContainer, provider_id: string): Promise<AddedSample> {
  const added = await addRegion(container, provider_id)
  const [{ default_sales_channel_id: channel }] = await read<{ default_sales_channel_id: string }>(container, "store", [
    "default_sales_channel_id",
  ])
  const profile = await ensureProfile(container)
  await ensureDelivery(container, channel, profile)
  const variant_id = await ensureProduct(container, channel, profile)
  const publishable_key = await ensureKey(container, channel)
  return { ...added, variant_id, publishable_key }
}

async function ensureProfile(container: MedusaContainer): Promise<string> {
  const [existing] = await read(container, "shipping_profile", ["id"], { type: "default" })
  if (existing !== undefined) {
    return existing.id
  }
  const input = { data: [{ name: "Default", type: "default" }] }
  return (await createShippingProfilesWorkflow(container).run({ input })).result[0].id
}

async function ensureDelivery(container: MedusaContainer, channel: string, shipping_profile_id: string): Promise<void> {
  const location = await ensureLocation(container, channel)
  const fulfillment = container.resolve(Modules.FULFILLMENT)
  const [existing] = await fulfillment.listFulfillmentSets({ name: DELIVERY }, { relations: ["service_zones"] })
  const set =
    existing ??
    (await fulfillment.createFulfillmentSets({
      name: DELIVERY,
      type: "shipping",
      service_zones: [{ name: DELIVERY, geo_zones: [{ type: "country", country_code: COUNTRY }] }],
    }))
  await container.resolve(ContainerRegistrationKeys.LINK).create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location },
    [Modules.FULFILLMENT]: { fulfillment_set_id: set.id },
  })
  if ((await read(container, "shipping_option", ["id"], { name: DELIVERY })).length > 0) {
    return
  }
  const option = {
    name: DELIVERY,
    price_type: "flat" as const,
    provider_id: "manual_manual",
    service_zone_id: set.service_zones[0].id,
    shipping_profile_id,
    type: { label: DELIVERY, description: "For trying the payment", code: "gateway-sample" },
    prices: [{ currency_code: "bdt", amount: DELIVERY_PRICE }],
    rules: [
      { attribute: "enabled_in_store", value: "true", operator: "eq" as const },
      { attribute: "is_return", value: "false", operator: "eq" as const },
    ],
  }
  await createShippingOptionsWorkflow(container).run({ input: [option] })
}

async function ensureLocation(container: MedusaContainer, channel: string): Promise<string> {
  let [location] = await read(container, "stock_location", ["id"], { name: PLACE })
  if (location === undefined) {
    const address = { address_1: "Tejgaon", city: "Dhaka", postal_code: "1208", country_code: COUNTRY }
    const input = { locations: [{ name: PLACE, address }] }
    location = (await createStockLocationsWorkflow(container).run({ input })).result[0]
  }
  // Linking what is linked already changes nothing.
  await container.resolve(ContainerRegistrationKeys.LINK).create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_provider_id: "manual_manual" },
  })
  await linkSalesChannelsToStockLocationWorkflow(container).run({ input: { id: location.id, add: [channel] } })
  return location.id
}

async function ensureProduct(
  container: MedusaContainer,
  channel: string,
  shipping_profile_id: string
): Promise<string> {
  type Product = { id: string; variants: { id: string }[] }
  const [existing] = await read<Product>(container, "product", ["id", "variants.id"], { handle: HANDLE })
  if (existing !== undefined) {
    return existing.variants[0].id
  }
  const product = {
    title: "Sample tea",
    handle: HANDLE,
    status: ProductStatus.PUBLISHED,
    shipping_profile_id,
    sales_channels: [{ id: channel }],
    options: [{ title: "Size", values: ["250 g"] }],
    variants: [
      {
        title: "250 g",
        sku: "GATEWAY-SAMPLE",
        options: { Size: "250 g" },
        manage_inventory: false,
        prices: [{ currency_code: "bdt", amount: PRICE }],
      },
    ],
  }
  const { result } = await createProductsWorkflow(container).run({ input: { products: [product] } })
  return result[0].variants[0].id
}

async function ensureKey(container: MedusaContainer, channel: string): Promise<string> {
  type Key = { id: string; token: string }
  let [key] = await read<Key>(container, "api_key", ["id", "token"], { type: "publishable", title: KEY })
  if (key === undefined) {
    const input = { api_keys: [{ title: KEY, type: "publishable" as const, created_by: "" }] }
    key = (await createApiKeysWorkflow(container).run({ input })).result[0] as Key
  }
  await linkSalesChannelsToApiKeyWorkflow(container).run({ input: { id: key.id, add: [channel] } })
  return key.token
}
