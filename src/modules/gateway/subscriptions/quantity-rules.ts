import { messageOf } from "../../../i18n/message"
import { fault, GatewayError, validationError, type FieldFailure } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import { formatAmount, type Minor } from "../kernel/money/money"

/** What a request says of the price and the quantity, in poisha; what is absent or null stays as it is. */
export type AskedPrice = { amount?: Minor | null; unit_amount?: Minor | null; quantity?: number | null }

/** Of a change: what is absent stays. */
export type NewPrice = { amount?: Minor; unit_amount?: Minor; quantity?: number }

/** What a period costs, whole, in poisha: `quantity` times the price of one (decisions: Quantity). */
export type Price = { amount_minor: number; quantity: number }

/** The price of one, in poisha. Goods of the store have none: their amount contains the delivery. */
export function unitOf({ amount_minor, quantity }: Price): number {
  return amount_minor / quantity
}

/**
 * What is wrong with the members of a request together. `amount` is the whole price, so it is not sent with a quantity:
 * read as the price of one it would be paid once instead of several times, and the other way round.
 */
export function faultsOfPrice({ amount, unit_amount, quantity }: AskedPrice): FieldFailure[] {
  const isWhole = amount !== undefined && amount !== null
  const isOfMany = (quantity ?? 1) > 1 || (unit_amount !== undefined && unit_amount !== null)
  return isWhole && isOfMany ? [fault("amount", messageOf("rule.amount_of_many"))] : []
}

/**
 * The price that a request asks for. `unit_minor` is what one costs where it does not say (poisha). Errors:
 * VALIDATION_ERROR for a whole amount that the quantity does not divide, and, naming both fields, for a product outside
 * the limits of an amount.
 */
export function priceOf(asked: AskedPrice, before: { unit_minor: number; quantity: number }): Price {
  const quantity = asked.quantity ?? before.quantity
  const whole = asked.amount ?? null
  if (whole !== null && whole % BigInt(quantity) !== 0n) {
    throw validationError([fault("amount", messageOf("rule.divisible_by_quantity", { quantity: String(quantity) }))])
  }
  const unit = whole === null ? (asked.unit_amount ?? BigInt(before.unit_minor)) : whole / BigInt(quantity)
  const amount = unit * BigInt(quantity)
  const { orderAmountMinMinor: least, orderAmountMaxMinor: most } = LIMITS
  if (amount < least || amount > most) {
    const limits = { min: formatAmount(least), max: formatAmount(most) }
    const reason = messageOf("rule.product", { quantity: String(quantity), unit: formatAmount(unit), ...limits })
    throw validationError([fault("quantity", reason), fault("unit_amount", reason)])
  }
  return { amount_minor: Number(amount), quantity }
}

/**
 * The price of a subscription after a request, or nothing when it asks for no other. Errors as of `priceOf`;
 * INVALID_STATE_TRANSITION for another quantity of the store's goods.
 */
export function changedPrice(row: Price & { source: "api" | "store" }, asked: NewPrice): Partial<Price> {
  const { amount, unit_amount, quantity } = asked
  if (amount === undefined && unit_amount === undefined && quantity === undefined) {
    return {}
  }
  if (row.source === "api") {
    return priceOf(asked, { unit_minor: unitOf(row), quantity: row.quantity })
  }
  if (unit_amount !== undefined || quantity !== undefined) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.change_of_goods"))
  }
  return { amount_minor: Number(amount) }
}

/** As answers and events show it: only more than one, so that whoever does not know the members reads what it knows. */
export function presentQuantity({ source = "api", ...price }: Price & { source?: "api" | "store" }) {
  const { quantity } = price
  if (quantity === 1) {
    return {}
  }
  return source === "store" ? { quantity } : { quantity, unit_amount: formatAmount(unitOf(price)) }
}
