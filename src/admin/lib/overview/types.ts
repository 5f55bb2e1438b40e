type Outcomes = {
  paid: number
  failed: number
  cancelled: number
  expired: number
  success_percent: string | null
}
type Method = Outcomes & { service: string; amount: string }
export type Acquirer = {
  acquirer: string
  paid: number
  declined: number
  left: number
  success_percent: string | null
  /** Milliseconds within which half, and 95 of 100, of its answers came. */
  median_ms: number | null
  p95_ms: number | null
  in_doubt: number
  state: "up" | "down" | "off" | "gone"
}
export type Day = { date: string; paid: number; failed: number; amount: string; fees: string; refunded: string }

export const WAITING = [
  "mismatched_payments",
  "mismatched_refunds",
  "unresolved_payments",
  "unresolved_refunds",
  "held_payments",
  "flagged_payments",
  "other_instalments",
  "paid_twice",
  "paid_without_order",
  "refunds_to_approve",
  "returns_to_confirm",
  "unreturned_verifications",
  "disputes_to_answer",
  "past_due_subscriptions",
  "disabled_endpoints",
  "failing_endpoints",
  "failed_deliveries",
] as const

/** GET /admin/gateway/overview: amounts and percentages as text, days in Bangladesh time. */
export type Overview = {
  from: string
  to: string
  currency: string
  /** Those with payments; BDT first. */
  currencies: string[]
  payments: Outcomes & { amount: string; fees: string }
  methods: Method[]
  acquirers: Acquirer[]
  refunds: { count: number; amount: string }
  balance: { available: string; refunds_in_progress: string }
  subscriptions: {
    active: number
    trialing: number
    past_due: number
    paused: number
    monthly_recurring_revenue: string
    at_start: number
    started: number
    ended: number
    churn_percent: string | null
  }
  attention: Record<(typeof WAITING)[number], number>
  attention_max: number
  days: Day[]
}
