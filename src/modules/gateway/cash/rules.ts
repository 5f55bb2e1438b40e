import { HOME_CURRENCY } from "../kernel/money/currencies"
import { LIMITS } from "../kernel/limits"
import { basisPointsOf, formatAmount, type Minor } from "../kernel/money/money"

/** Who says that cash came: an admin here, a courier's file, or an admin by Medusa's own capture button. */
export const CASH_SOURCES = ["admin", "csv", "medusa"] as const
export type CashSource = (typeof CASH_SOURCES)[number]

/** What an order pays online before it is placed. */
export const ADVANCES = ["none", "delivery", "fixed", "percent"] as const
export type AdvanceKind = (typeof ADVANCES)[number]

/**
 * One rule of a store. All its conditions must hold; absent ones always do. Amounts in hundredths of taka, `percent` in
 * basis points of the order's total.
 */
export type AdvanceRule = {
  advance: AdvanceKind
  amount_minor?: number
  basis_points?: number
  /** Names as shoppers write them, in any case. */
  districts?: string[]
  total_from_minor?: number
  total_to_minor?: number
  /** Earlier orders of the same phone: at least so many delivered, at most so many, at least so many refused. */
  delivered_from?: number
  delivered_to?: number
  refused_from?: number
}

export type CashSettings = {
  /** The first that holds decides; without one nothing is due in advance. */
  rules: AdvanceRule[]
  /** An order whose cash has not come so many days after it was placed is late. */
  late_after_days: number
  /** What becomes of the advance when an order is refused at the door. */
  refused_advance: "keep" | "give_back"
  /** An order without an advance is placed once a code that was sent to its phone has been entered. */
  phone_code: boolean
}

export const NO_CASH_SETTINGS: CashSettings = {
  rules: [],
  late_after_days: 7,
  refused_advance: "keep",
  phone_code: false,
}

/** How long a code that was sent to a phone may be entered. */
export const CODE_MINUTES = 10

/** SQL: an open order of this merchant (`$1`, `$2`) is late at the moment `now`. Its default is that of the settings. */
export const isLate = (now: string) => `state IN ('due', 'part_collected') AND placed_at < ${now}::timestamptz
  - COALESCE((SELECT (e.cash->>'late_after_days')::int FROM gateway_merchant_environment e
      WHERE e.merchant_id = $1 AND e.environment = $2), ${NO_CASH_SETTINGS.late_after_days}) * interval '1 day'`

export type CashFacts = {
  total: Minor
  /** What delivery costs, with its tax. */
  delivery: Minor
  currency: string
  district: string | null
  /** Earlier orders of this phone. */
  delivered: number
  refused: number
}

/** The share of an order above which the settings page tells what the guidelines say about advances. */
export const NOTED_ADVANCE_BASIS_POINTS = 1_000

/**
 * What is due online before the order is placed, in hundredths of its currency; zero: nothing. Rules are in taka, so
 * orders in other currencies pay no fixed sum in advance. No checkout takes less than its least amount, so a smaller
 * advance is rounded up to it, and an advance is never more than the order.
 */
export function advanceOf(rules: readonly AdvanceRule[], facts: CashFacts): Minor {
  const rule = rules.find((one) => holds(one, facts))
  const wanted = rule === undefined ? 0n : wantedBy(rule, facts)
  if (wanted <= 0n) {
    return 0n
  }
  const { orderAmountMinMinor, otherAmountMinMinor } = LIMITS
  const least = facts.currency === HOME_CURRENCY ? orderAmountMinMinor : otherAmountMinMinor
  const advance = wanted < least ? least : wanted
  return advance < facts.total ? advance : facts.total
}

function holds(rule: AdvanceRule, { total, currency, district, delivered, refused }: CashFacts): boolean {
  const { districts, total_from_minor, total_to_minor } = rule
  const isPriced = total_from_minor !== undefined || total_to_minor !== undefined
  return (
    (districts === undefined || districts.some((name) => sameDistrict(name, district ?? ""))) &&
    (!isPriced || currency === HOME_CURRENCY) &&
    total >= BigInt(total_from_minor ?? 0) &&
    (total_to_minor === undefined || total <= BigInt(total_to_minor)) &&
    delivered >= (rule.delivered_from ?? 0) &&
    delivered <= (rule.delivered_to ?? Infinity) &&
    refused >= (rule.refused_from ?? 0)
  )
}

function wantedBy(
  { advance, amount_minor, basis_points }: AdvanceRule,
  { total, delivery, currency }: CashFacts
): Minor {
  if (advance === "delivery") {
    return delivery
  }
  if (advance === "percent") {
    return basisPointsOf(total, basis_points ?? 0)
  }
  return advance === "fixed" && currency === HOME_CURRENCY ? BigInt(amount_minor ?? 0) : 0n
}

function sameDistrict(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

type Amounts = { total_minor: number; advance_minor: number; collected_minor: number; given_up_minor: number }

/** What is still due in cash, in hundredths of the currency. */
export function cashDue({ total_minor, advance_minor, collected_minor, given_up_minor }: Amounts): Minor {
  return BigInt(total_minor) - BigInt(advance_minor) - BigInt(collected_minor) - BigInt(given_up_minor)
}

/**
 * By how much less is due since the store's order has changed, in hundredths; below zero, more again. `owed`: what the
 * order owes of it now, its advance included. No more is ever due than when it was placed.
 */
export function orderChange(amounts: Amounts, owed: Minor): Minor {
  const { total_minor, given_up_minor } = amounts
  const cheaper = BigInt(total_minor) - owed
  const most = cashDue(amounts) + BigInt(given_up_minor)
  const wanted = cheaper < 0n ? 0n : cheaper > most ? most : cheaper
  return wanted - BigInt(given_up_minor)
}

type EventFacts = Amounts & {
  id: string
  order_id: string | null
  order_number: string | null
  state: string
  currency: string
  returned_minor: number
}

/** The cash that an event is about: what came, or what was handed back. */
export type EventCash = {
  collection?: { id: string; amount_minor: number; courier: string | null }
  returned?: Minor
}

/** The data of `cash_order.` events; amounts as decimal text. */
export function cashEventData(order: EventFacts, { collection, returned }: EventCash): Record<string, unknown> {
  return {
    cash_order_id: order.id,
    order_id: order.order_id,
    order_number: order.order_number,
    status: order.state,
    currency: order.currency,
    total: formatAmount(order.total_minor),
    advance: formatAmount(order.advance_minor),
    collected: formatAmount(order.collected_minor),
    due: formatAmount(cashDue(order)),
    returned: formatAmount(order.returned_minor),
    collection_id: collection?.id ?? null,
    collection_amount: collection === undefined ? null : formatAmount(collection.amount_minor),
    courier: collection?.courier ?? null,
    refund_amount: returned === undefined ? null : formatAmount(returned),
  }
}

/**
 * How an admin asks for cash orders. `late`: due for longer than the store's days; `stuck`: Medusa's
 * order could not be brought in line, and an admin must act.
 */
export const CASH_FILTERS = ["due", "late", "stuck", "collected", "refused", "cancelled"] as const
export type CashFilter = (typeof CASH_FILTERS)[number]
