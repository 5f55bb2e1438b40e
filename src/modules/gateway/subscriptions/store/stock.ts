/** Why a period of a store's subscription was not delivered; `no_order`: it was paid and given back. */
export const SKIP_REASONS = ["out_of_stock", "not_sold", "no_order"] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** Something that is to be taken from the shelf: so many of a variant, for the sales channel of an order. */
export type StockRequest = { variant_id: string; quantity: number; order_id: string }

/** A variant as the store sells it; `parts` is what one of it takes from the shelves (several, when it is a kit). */
export type StockedVariant = {
  isSold: boolean
  /** False where the stock is not counted, or where more may be sold than there is. */
  isLimited: boolean
  parts: readonly { inventory_item_id: string; required: number }[]
}

/** The store's shelves at one moment; what is missing in a map does not exist any more. */
export type Stock = {
  variants: ReadonlyMap<string, StockedVariant>
  /** By order: the locations that deliver to its sales channel. */
  locations: ReadonlyMap<string, readonly string[]>
  /** By inventory item, then by location: what is there and not reserved. */
  available: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/**
 * Gives out what is on the shelves, first to those that `held` some already, then to `requests` in their order; answers
 * for each of these why it gets nothing, or null. As Medusa reserves it, all of a part comes from one location.
 */
export function allot(
  stock: Stock,
  held: readonly StockRequest[],
  requests: readonly StockRequest[]
): (SkipReason | null)[] {
  const left = new Map([...stock.available].map(([item, levels]) => [item, new Map(levels)]))
  // Where the orders of others are delivered from was not asked: theirs may come from any shelf.
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
  if (!variant.isLimited) {
    return null
  }
  const takings = variant.parts.map(({ inventory_item_id, required }) => {
    const levels = left.get(inventory_item_id) ?? new Map<string, number>()
    const needed = required * request.quantity
    return { levels, needed, from: locations.find((location) => (levels.get(location) ?? 0) >= needed) }
  })
  if (takings.length === 0 || takings.some(({ from }) => from === undefined)) {
    return "out_of_stock"
  }
  for (const { levels, needed, from } of takings) {
    levels.set(from as string, (levels.get(from as string) ?? 0) - needed)
  }
  return null
}

/**
 * A renewal's amount as prices of single pieces, exact to the poisha: what does not divide is spread over a second
 * line that costs one poisha more a piece.
 */
export function pieces(amount: bigint, quantity: number): { quantity: number; unit: bigint }[] {
  const unit = amount / BigInt(quantity)
  const dearer = Number(amount % BigInt(quantity))
  return [
    { quantity: quantity - dearer, unit },
    { quantity: dearer, unit: unit + 1n },
  ].filter((line) => line.quantity > 0)
}
