export type PaidCart = {
  id: string
  transaction_id: string
  environment: string
  cart_id: string
  order_id: string | null
  refund_id: string | null
  state: string
  last_error: string | null
  history: { at: string; what: string }[]
  created_at: string
}

export type PaidCartList = { paid_carts: PaidCart[]; count: number; limit: number; offset: number }

type Color = "green" | "orange" | "red" | "grey" | "blue"

/** What the states mean to an admin (docs/operations.md). */
export const STATES: Readonly<Record<string, { label: string; color: Color }>> = {
  waiting: { label: "Order on its way", color: "blue" },
  ordered: { label: "Ordered", color: "green" },
  giving_back: { label: "Refunding", color: "orange" },
  given_back: { label: "Refunded", color: "grey" },
  needs_attention: { label: "Needs attention", color: "red" },
}

export function stateOf({ state }: PaidCart): { label: string; color: Color } {
  return STATES[state] ?? { label: state, color: "grey" }
}
