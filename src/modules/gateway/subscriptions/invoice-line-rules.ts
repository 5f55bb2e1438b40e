import { type Credit, periodOf, takeCredits } from "../subscriptions/credit-rules"
import type { PlanNames } from "../plans/rules"
import type { Bounds } from "./lifecycle"
import type { SubscriptionRow } from "./records"

/**
 * What a line of an invoice is of. `adjustment`: what a shop takes off or adds by other means, such as a store credit.
 * `credit`: what a period that ended early leaves over, or still costs.
 */
export const INVOICE_LINE_KINDS = ["plan", "goods", "delivery", "adjustment", "credit"] as const

/** A line of an invoice; amounts in poisha. The lines of an invoice add up to its amount. */
export type InvoiceLine = {
  kind: (typeof INVOICE_LINE_KINDS)[number]
  /** What the shop calls it; null: a plan has its own names, and the kind says the rest. */
  name: string | null
  quantity: number
  /** Of a plan: what one costs in a whole period, where the quantity times it is the amount. */
  unit_minor?: number
  /** With tax, after the discount. Only an adjustment and a credit may be negative. */
  amount_minor: number
  discount_minor: number
  /** The tax that the amount contains; null: not known before the period has its order. */
  tax_minor: number | null
  /** Of a credit: its plan's name in Bangla, and its days, as ISO times. */
  credit?: Omit<Credit, "amount_minor" | "plan_name" | "quantity">
}

/**
 * The lines of the invoice of each plan in a cart that costs `total`. Each plan has its own line, and the `main` one
 * everything else too. So the invoices of a payment add up to the payment, and nothing is on two of them. A difference
 * is a line of its own: a store credit, or a fraction of a poisha that was rounded. No invoice falls below zero with
 * it: what is left of it goes to the next.
 */
export function shareOut(
  plans: readonly InvoiceLine[],
  others: readonly InvoiceLine[],
  { main, total }: { main: number; total: number }
): InvoiceLine[][] {
  const shares = plans.map((line, index) => (index === main ? [line, ...others] : [line]))
  let left = total - totalOf(shares.flat())
  for (const share of [shares[main], ...shares.filter((_, index) => index !== main)]) {
    const amount_minor = Math.max(left, -totalOf(share))
    if (left !== 0 && amount_minor !== 0) {
      share.push({ kind: "adjustment", name: null, quantity: 1, amount_minor, discount_minor: 0, tax_minor: 0 })
      left -= amount_minor
    }
  }
  return shares
}

/**
 * What the period itself costs of its invoice, in poisha: the plan and its delivery, whatever else was in the cart.
 */
export function periodPrice(lines: readonly InvoiceLine[], isSent: boolean): number {
  const total = totalOf(lines)
  const ofPeriod = lines.filter(({ kind }) => kind === "plan" || (kind === "delivery" && isSent))
  return lines.some(({ kind }) => kind === "goods") ? Math.min(totalOf(ofPeriod), total) : total
}

type PeriodPrice = { amount_minor: number; credit_minor: number; quantity: number; bounds: Bounds }

/**
 * The lines of a period of which credits pay `credit_minor` poisha; null: it asks for the price of one alone, or for
 * goods, whose lines the store has. `row` still has the credits.
 */
export function periodLines(
  row: PlanNames & Pick<SubscriptionRow, "credits" | "source" | "amount_minor" | "open_price_minor">,
  { amount_minor, credit_minor, quantity, bounds }: PeriodPrice
): InvoiceLine[] | null {
  if (credit_minor === 0 && (quantity === 1 || row.source === "store")) {
    return null
  }
  const { taken } = takeCredits(row.credits, credit_minor, periodOf({ ...row, quantity }, bounds))
  const line = { discount_minor: 0, tax_minor: null }
  const price = amount_minor + credit_minor
  // The rest of a period costs a share of its days, which may be no multiple of the quantity.
  const isWhole = row.open_price_minor === null || row.open_price_minor === row.amount_minor
  const isMultiple = quantity > 1 && isWhole && price % quantity === 0
  const unit = isMultiple ? { unit_minor: price / quantity } : {}
  return [
    { kind: "plan", name: null, quantity, ...unit, ...line, amount_minor: price },
    ...taken.map(({ amount_minor: sum, plan_name: name, quantity: many = 1, ...credit }) => {
      return { kind: "credit" as const, name, quantity: many, ...line, amount_minor: -sum, credit }
    }),
  ]
}

/** In poisha. */
export function totalOf(lines: readonly InvoiceLine[]): number {
  return lines.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
}

/** The lines of an invoice; one that was issued without any is of its plan. */
export function linesOf({ lines, amount_minor }: { lines: readonly InvoiceLine[] | null; amount_minor: number }) {
  const whole: InvoiceLine = { kind: "plan", name: null, quantity: 1, amount_minor, discount_minor: 0, tax_minor: null }
  return lines ?? [whole]
}
