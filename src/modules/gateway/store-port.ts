import type { Stock, StockRequest } from "./subscriptions/store/stock"

/** Reads what the store has of some variants, without changing anything; throws when nobody can tell. */
export type StockReader = (requests: readonly StockRequest[]) => Promise<Stock>

let reader: StockReader | null = null

/** The shelves are Medusa's, beyond this module's border: src/workflows registers the way. */
export function registerStockReader(given: StockReader): void {
  reader = given
}

export function currentStockReader(): StockReader | null {
  return reader
}

/** Makes the Medusa order of a paid renewal, or sees to what is to be done without one; never throws for one's sake. */
export type OrderMaker = (transaction_id: string) => Promise<void>

let maker: OrderMaker | null = null

export function registerOrderMaker(given: OrderMaker): void {
  maker = given
}

export function currentOrderMaker(): OrderMaker | null {
  return maker
}
