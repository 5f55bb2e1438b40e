/** How an admin asks for cash orders. `late`: due for longer than the store's days. */
export const CASH_FILTERS = ["due", "late", "collected", "refused", "cancelled"] as const
export type CashFilter = (typeof CASH_FILTERS)[number]
