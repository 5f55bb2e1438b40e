import { createHash } from "node:crypto"
import type { Route } from "../merchants/payment-services"

export type RoutedPayment = { transaction_id: string; amount_minor: number; currency: string }

const ROUTED_CURRENCY = "BDT"

/**
 * The order in which the acquirers of a payment service are asked for a payment:
 * 1. of those whose amounts hold the payment's, one by the shares, then the others with a share, then those without;
 * 2. those that no route names, as they come;
 * 3. those whose amounts do not hold it: they stand by too.
 * Without any share the order alone decides. A second try of a payment goes to the same acquirer.
 */
export function askingOrder(acquirers: readonly string[], routes: readonly Route[], payment: RoutedPayment): string[] {
  const named = routes.filter(({ acquirer }) => acquirers.includes(acquirer))
  const [inside, outside] = [named.filter((route) => holds(route, payment)), named.filter((r) => !holds(r, payment))]
  const shared = inside.filter(({ share }) => share !== null)
  const drawn = draw(shared, payment)
  const first = drawn === null ? [] : [drawn]
  const inOrder = [...first, ...shared, ...inside].map(({ acquirer }) => acquirer)
  const others = acquirers.filter((id) => !named.some(({ acquirer }) => acquirer === id))
  return [...new Set([...inOrder, ...others, ...outside.map(({ acquirer }) => acquirer)])]
}

function holds({ from_minor, to_minor }: Route, { amount_minor, currency }: RoutedPayment): boolean {
  return currency !== ROUTED_CURRENCY || (amount_minor >= (from_minor ?? 0) && amount_minor <= (to_minor ?? Infinity))
}

/** One of the routes by their shares; null: there is none. Shares are whole numbers above 0. */
function draw(shared: readonly Route[], { transaction_id }: RoutedPayment): Route | null {
  const all = shared.reduce((sum, { share }) => sum + (share ?? 0), 0)
  if (all === 0) {
    return null
  }
  // 48 bits: evenly spread, and exact as a number.
  const spread = createHash("sha256").update(transaction_id).digest().readUIntBE(0, 6)
  let left = spread % all
  return shared.find(({ share }) => (left -= share ?? 0) < 0) ?? null
}
