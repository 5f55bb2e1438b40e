import type { Terms } from "../plans/types"
import type { Color } from "../ui/bits"

export type Status = "PENDING" | "TRIALING" | "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "EXPIRED"
export const STATUSES: readonly Status[] = [
  "ACTIVE",
  "TRIALING",
  "PENDING",
  "PAST_DUE",
  "PAUSED",
  "CANCELLED",
  "EXPIRED",
]

export type Subscription = Terms & {
  id: string
  number: number
  status: Status
  plan: { number: number; plan_name: string } | null
  customer: { number: number; name: string; email: string; phone: string | null }
  source: "api" | "store"
  next_billing_date: string | null
  cancel_at_period_end: boolean
  failed_payment_count: number
  created_at: string
}

export type Means = {
  method: string
  service: string
  brand: string | null
  last_four: string | null
  account: string | null
}

export type SubscriptionTimeline = Subscription & {
  billing_cycle_count: number
  current_period_start: string | null
  current_period_end: string | null
  trial_end_date: string | null
  past_due_since: string | null
  retry_at: string | null
  paused_at: string | null
  cancelled_at: string | null
  cancellation_reason: string | null
  ended_at: string | null
  payment_under_way: boolean
  amount_due: string
  attempts: number
  error_code: string | null
  instrument: Means | null
  store_order_id: string | null
  medusa_order_number: number | null
  events: { event_id: string; event_type: string; occurred_at: string }[]
}

export type RecordStatus = "PENDING" | "PROCESSING" | "SUCCESS" | "FAILED" | "REFUNDED"
export type BillingRecord = {
  id: string
  status: RecordStatus
  amount: string
  currency: string
  billing_date: string
  period_start: string
  period_end: string
  attempts: number
  transaction_id: string | null
  error_code: string | null
}

export const STATUS_COLORS: Readonly<Record<Status, Color>> = {
  PENDING: "blue",
  TRIALING: "purple",
  ACTIVE: "green",
  PAST_DUE: "red",
  PAUSED: "orange",
  CANCELLED: "grey",
  EXPIRED: "grey",
}

export const RECORD_COLORS: Readonly<Record<RecordStatus, Color>> = {
  PENDING: "blue",
  PROCESSING: "blue",
  SUCCESS: "green",
  FAILED: "red",
  REFUNDED: "orange",
}
