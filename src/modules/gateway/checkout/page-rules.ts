import type { OrderItem } from "../acquirers/order"
import { parseAmount } from "../kernel/money/money"

/** One line of the order; amounts in hundredths of the payment's currency, null where the merchant sent none. */
export type PageItem = { name: string; quantity: number; unit_price_minor: number | null; total_minor: number | null }

/** A line as the page shows it. */
export function pageItem(item: OrderItem): PageItem {
  const quantity = item.quantity ?? 1
  const unit = parseAmount(item.unit_price)
  const total = parseAmount(item.net_amount) ?? (unit === null ? null : unit * BigInt(quantity))
  return {
    name: item.product_name || item.sku || "",
    quantity,
    unit_price_minor: unit === null ? null : Number(unit),
    total_minor: total === null ? null : Number(total),
  }
}
