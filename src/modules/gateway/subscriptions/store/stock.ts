/** Why a period of a store's subscription was not delivered; `no_order`: it was paid and given back. */
export const SKIP_REASONS = ["out_of_stock", "not_sold", "no_order"] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** Something that is to be taken from the shelf: so many of a variant, for the sales channel of an order. */
export type StockRequest = { variant_id: string; quantity: number; order_id: string }

/** A variant as the store sells it; `parts` are the inventory items that one of it needs (several for a kit). */
export type StockedVariant = {
  isSold: boolean
  /** Medusa reserves what is counted, with backorders allowed too. */
  isCounted: boolean
  /** False when the stock is not counted, or when backorders are allowed. */
  isLimited: boolean
  parts: readonly { inventory_item_id: string; required: number }[]
}

/** The store's stock at one moment; what a map lacks does not exist any more. */
export type Stock = {
  variants: ReadonlyMap<string, StockedVariant>
  /** By order: the locations that deliver to its sales channel. */
  locations: ReadonlyMap<string, readonly string[]>
  /** By inventory item, then by location: available and not reserved. */
  available: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/**
 * Allocates stock, first to those that `held` some already, then to `requests` in their order. Returns for each request
 * why it gets nothing, or null. Like Medusa's reservations, all of a part comes from one location.
 */
export function allot(
  stock: Stock,
  held: readonly StockRequest[],
  requests: readonly StockRequest[]
): (SkipReason | null)[] {
  const left = new Map([...stock.available].map(([item, levels]) => [item, new Map(levels)]))
  // The locations that deliver the `held` orders may be unknown: their stock may come from any location.
  const anywhere = [...new Set([...left.values()].flatMap((levels) => [...levels.keys()]))]
  held.forEach((request) => take(stock, left, request, stock.locations.get(request.order_id) ?? anywhere))
  return requests.map((request) => take(stock, left, request, stock.locations.get(request.order_id)))
}

function take(
  stock: Stock,
  left: Map<string, Map<string, number>>,
  request: StockRequest,
  locations: readonly string[] | undefined
): SkipReason | null {
  const variant = stock.variants.get(request.variant_id)
  if (variant === undefined || locations === undefined || !variant.isSold) {
    return "not_sold"
  }
  if (!variant.isCounted) {
    return null
  }
  const takings = variant.parts.map(({ inventory_item_id, required }) => {
    const levels = left.get(inventory_item_id) ?? new Map<string, number>()
    const needed = required * request.quantity
    const enough = locations.find((location) => (levels.get(location) ?? 0) >= needed)
    // A backorder goes below zero: other variants may need the same item, and find less of it.
    return {
      levels,
      needed,
      from: enough ?? (variant.isLimited ? undefined : locations.find((one) => levels.has(one))),
    }
  })
  if (variant.isLimited && (takings.length === 0 || takings.some(({ from }) => from === undefined))) {
    return "out_of_stock"
  }
  for (const { levels, needed, from } of takings) {
    if (from !== undefined) {
      levels.set(from, (levels.get(from) ?? 0) - needed)
    }
  }
  return null
}

/**
 * A renewal's amount as prices of single pieces, exact to the poisha: a remainder becomes a second line whose pieces
 * cost one poisha more.
 */
export function pieces(amount: bigint, quantity: number): { quantity: number; unit: bigint }[] {
  const unit = amount / BigInt(quantity)
  const dearer = Number(amount % BigInt(quantity))
  return [
    { quantity: quantity - dearer, unit },
    { quantity: dearer, unit: unit + 1n },
  ].filter((line) => line.quantity > 0)
}
