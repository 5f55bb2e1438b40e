import { openStore } from "./sdk"
import type { Product, Variant } from "./types"

/** As little as a card shows: on a slow network the list is what a shopper waits for. */
const CARD_FIELDS =
  "id,title,handle,thumbnail,variants.id,variants.manage_inventory,variants.allow_backorder,variants.calculated_price.calculated_amount,variants.inventory_quantity"
const FIELDS =
  "id,title,handle,thumbnail,description,*images,*options,*options.values,*variants,*variants.options,*variants.calculated_price,+variants.variant_rank,+variants.inventory_quantity"
const PAGE_SIZE = 24

/** One page of products, with what a card shows of them; `offset` counts products, not pages. */
export async function listProducts(offset = 0): Promise<{ products: Product[]; count: number }> {
  const { sdk, regionId } = await openStore()
  return sdk.store.product.list({
    region_id: regionId,
    fields: CARD_FIELDS,
    order: "title",
    limit: PAGE_SIZE,
    offset,
  })
}

/** The product with this handle (the readable part of its address), or null. */
export async function findProduct(handle: string): Promise<Product | null> {
  const { sdk, regionId } = await openStore()
  const { products } = await sdk.store.product.list({ region_id: regionId, fields: FIELDS, handle, limit: 1 })
  const product = products[0] ?? null
  // In their merchant's order, otherwise the cheapest first: the Store API guarantees no order.
  product?.variants?.sort(
    (one, other) => (one.variant_rank ?? 0) - (other.variant_rank ?? 0) || (priceOf(one) ?? 0) - (priceOf(other) ?? 0)
  )
  return product
}

/** In taka; null when the variant has no price in this region and so cannot be bought. */
export const priceOf = (variant: Variant): number | null => variant.calculated_price?.calculated_amount ?? null

/** How many can be bought: Infinity when the store does not count the stock. */
export function stockOf(variant: Variant): number {
  if (!variant.manage_inventory || variant.allow_backorder) {
    return Infinity
  }
  return Math.max(0, variant.inventory_quantity ?? 0)
}

export const canBuy = (variant: Variant): boolean => priceOf(variant) !== null && stockOf(variant) > 0

/** The lowest price of a product, and whether some variant costs more. */
export function priceRange(product: Product): { from: number; varies: boolean } | null {
  const prices = (product.variants ?? []).map(priceOf).filter((price) => price !== null)
  if (prices.length === 0) {
    return null
  }
  const from = Math.min(...prices)
  return { from, varies: Math.max(...prices) > from }
}

/** The value a variant has for an option, such as "Indigo" for the colour. */
export const valueOf = (variant: Variant, optionId: string): string | undefined =>
  variant.options?.find((option) => option.option_id === optionId)?.value

/**
 * The options that the shopper chooses from, with values in the order of the variants. A product without choices has
 * one option with one value in Medusa, which is left out.
 */
export function choicesOf(product: Product): { id: string; title: string; values: string[] }[] {
  return (product.options ?? [])
    .map(({ id, title }) => ({
      id,
      title,
      values: [...new Set(product.variants?.flatMap((variant) => valueOf(variant, id) ?? []))],
    }))
    .filter(({ values }) => values.length > 1)
}

/** The variant that has all chosen values; `chosen` maps option id to value. */
export function variantFor(product: Product, chosen: Map<string, string>): Variant | undefined {
  return product.variants?.find((variant) =>
    [...chosen].every(([optionId, value]) => valueOf(variant, optionId) === value)
  )
}
