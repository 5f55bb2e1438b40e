import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, ProductStatus } from "@medusajs/framework/utils"
import type { Stock, StockedVariant, StockRequest } from "../../modules/gateway/subscriptions/store/stock"

const VARIANT_FIELDS = [
  "id",
  "manage_inventory",
  "allow_backorder",
  "product.status",
  "inventory_items.inventory_item_id",
  "inventory_items.required_quantity",
  "inventory_items.inventory.location_levels.location_id",
  "inventory_items.inventory.location_levels.raw_stocked_quantity",
  "inventory_items.inventory.location_levels.raw_reserved_quantity",
]

type Level = { location_id: string; raw_stocked_quantity: BigNumberInput; raw_reserved_quantity: BigNumberInput }

type Variant = {
  id: string
  manage_inventory: boolean
  allow_backorder: boolean
  product: { status: string } | null
  inventory_items: {
    inventory_item_id: string
    required_quantity: number
    inventory: { location_levels: (Level | null)[] | null } | null
  }[]
}

/** What Medusa has of these variants, and where the sales channels of these orders are delivered from. */
export async function readStock(scope: MedusaContainer, requests: readonly StockRequest[]): Promise<Stock> {
  const query = scope.resolve(ContainerRegistrationKeys.QUERY)
  const variant_ids = [...new Set(requests.map(({ variant_id }) => variant_id))]
  const { data } = await query.graph({
    entity: "product_variant",
    fields: VARIANT_FIELDS,
    filters: { id: variant_ids },
  })
  const variants = data as unknown as Variant[]
  return {
    variants: new Map(variants.map((variant) => [variant.id, stocked(variant)])),
    locations: await locationsOf(scope, [...new Set(requests.map(({ order_id }) => order_id))]),
    available: new Map(
      variants
        .flatMap(({ inventory_items }) => inventory_items)
        .map((item) => [item.inventory_item_id, levelsOf(item.inventory)])
    ),
  }
}

function stocked({ manage_inventory, allow_backorder, product, inventory_items }: Variant): StockedVariant {
  return {
    isSold: product?.status === ProductStatus.PUBLISHED,
    isLimited: manage_inventory && !allow_backorder,
    parts: inventory_items.map(({ inventory_item_id, required_quantity }) => ({
      inventory_item_id,
      required: required_quantity,
    })),
  }
}

/** Quantities are counts, not money: a number holds them. */
function levelsOf(inventory: Variant["inventory_items"][number]["inventory"]): Map<string, number> {
  const levels = (inventory?.location_levels ?? []).filter((level) => level !== null)
  return new Map(
    levels.map(({ location_id, raw_stocked_quantity, raw_reserved_quantity }) => [
      location_id,
      MathBN.sub(raw_stocked_quantity, raw_reserved_quantity ?? 0).toNumber(),
    ])
  )
}

/** By order. A deleted order, or one whose sales channel is deleted, has no entry. */
async function locationsOf(scope: MedusaContainer, order_ids: string[]): Promise<Map<string, string[]>> {
  const query = scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data: orders } = await query.graph({
    entity: "order",
    fields: ["id", "sales_channel_id"],
    filters: { id: order_ids },
  })
  const channel_ids = [...new Set(orders.flatMap(({ sales_channel_id }) => sales_channel_id ?? []))]
  const { data } = await query.graph({
    entity: "sales_channel",
    fields: ["id", "stock_locations.id"],
    filters: { id: channel_ids },
  })
  const channels = data as unknown as { id: string; stock_locations: ({ id: string } | null)[] | null }[]
  const locations = new Map(
    channels.map(({ id, stock_locations }) => [id, (stock_locations ?? []).flatMap((location) => location?.id ?? [])])
  )
  return new Map(
    orders.flatMap(({ id, sales_channel_id }) => {
      const found = locations.get(sales_channel_id ?? "")
      return found === undefined ? [] : [[id, found] as const]
    })
  )
}
