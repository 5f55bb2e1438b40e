/** What an admin sees of a paid cart; the rows come from the module's own list. */
export type PaidCart = {
  id: string
  transaction_id: string
  environment: string
  cart_id: string
  order_id: string | null
  refund_id: string | null
  state: string
  last_error: string | null
  attempts: number
  history: { at: string; what: string }[]
  created_at: string | Date
}

type Row = Omit<PaidCart, "history"> & { history: unknown }

export function presentPaidCart(row: Row): PaidCart {
  return {
    id: row.id,
    transaction_id: row.transaction_id,
    environment: row.environment,
    cart_id: row.cart_id,
    order_id: row.order_id,
    refund_id: row.refund_id,
    state: row.state,
    last_error: row.last_error,
    attempts: row.attempts,
    history: row.history as PaidCart["history"],
    created_at: row.created_at,
  }
}
