import flows from "@medusajs/medusa/core-flows"
import utils from "@medusajs/framework/utils"

const { ContainerRegistrationKeys, ProductStatus } = utils

/** Merchants with one sandbox key each: `[{ id, key }]`. The load rotates among them. */
export async function seedMerchants(container, count) {
  const gateway = container.resolve("gateway")
  const merchants = []
  for (let number = 0; number < count; number++) {
    const { id } = await gateway.merchants.create({ name: `Merchant ${number}` })
    const { key } = await gateway.apiKeys.create({ merchant_id: id, environment: "sandbox", name: "Load" })
    merchants.push({ id, key })
  }
  return merchants
}

/** What `POST /store/carts` needs: a region with BDT and a product with a price. */
export async function seedCart(container) {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const run = async (workflow, input) => (await workflow(container).run({ input })).result
  const { data } = await query.graph({ entity: "store", fields: ["id", "default_sales_channel_id"] })
  const channel = data[0].default_sales_channel_id
  const [region] = await run(flows.createRegionsWorkflow, {
    regions: [{ name: "Bangladesh", currency_code: "bdt", countries: ["bd"] }],
  })
  const [product] = await run(flows.createProductsWorkflow, {
    products: [
      {
        title: "Scarf",
        status: ProductStatus.PUBLISHED,
        sales_channels: [{ id: channel }],
        options: [{ title: "Size", values: ["One"] }],
        variants: [
          {
            title: "One",
            sku: "SCARF",
            options: { Size: "One" },
            manage_inventory: false,
            prices: [{ currency_code: "bdt", amount: 1250.5 }],
          },
        ],
      },
    ],
  })
  const [key] = await run(flows.createApiKeysWorkflow, {
    api_keys: [{ title: "Load", type: "publishable", created_by: "" }],
  })
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel] })
  return { publishable_key: key.token, region_id: region.id, variant_id: product.variants[0].id }
}
