import type { Stock, StockRequest } from "./subscriptions/store/stock"

/** Reads the store's stock of some variants and changes nothing; throws when the stock cannot be read. */
export type StockReader = (requests: readonly StockRequest[]) => Promise<Stock>

let reader: StockReader | null = null

/** The stock belongs to Medusa, which this module cannot import: the store registers the reader. */
export function registerStockReader(given: StockReader): void {
  reader = given
}

export function currentStockReader(): StockReader | null {
  return reader
}

/** Makes the Medusa order of a paid renewal, or deals with a renewal that can have none. Never throws. */
export type OrderMaker = (transaction_id: string) => Promise<void>

let maker: OrderMaker | null = null

export function registerOrderMaker(given: OrderMaker): void {
  maker = given
}

export function currentOrderMaker(): OrderMaker | null {
  return maker
}
