// The texts need these types, and the requests need the texts: here neither imports the other.

export type SubscriptionStatus = "PENDING" | "TRIALING" | "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "EXPIRED"

/** Of `/store/gateway/subscriptions/<id>/invoices`; the amount is taka as text. */
export type Invoice = {
  id: string
  invoice_id: string
  status: "PENDING" | "PAID" | "VOID"
  amount: string
  period_start: string
  period_end: string
  /** The page to pay it; null when nothing is to be paid. */
  payment_url: string | null
}
