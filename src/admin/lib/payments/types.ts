import type { PresentedMessage } from "../message"
import type { Color } from "../ui/bits"

export type Status = "SUCCESS" | "PENDING" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED"
/** What waits for an admin, as the list filters by it. */
export const ATTENTIONS = ["held", "flagged", "instalments", "unresolved", "unreturned"] as const

export const STATUSES: readonly Status[] = ["SUCCESS", "PENDING", "FAILED", "CANCELLED", "EXPIRED", "REFUNDED"]
export const SERVICES = ["CARD", "BKASH", "NAGAD", "ROCKET", "UPAY", "INTERNET_BANKING", "WALLET"] as const

export type Payment = {
  id: string
  order_id: string
  /** What people read: the shop's own number, otherwise `order_id`. */
  order_number: string
  status: Status
  processing: boolean
  held: boolean
  currency: string
  amount: string
  charge_amount: string
  refunded_amount: string
  payment_service: string | null
  error_code: string | null
  source: "api" | "cart" | "billing" | "verification"
  decline: Decline | null
  emi: ListedEmi | null
  customer: { name: string; email: string }
  medusa_order_id: string | null
  medusa_order_number: number | null
  created_at: string
}

/** Why the last attempt was declined. */
type Decline = { code: string; reason: DeclineReason | null }

/** In the list: `total_with_fee` is everything that the customer pays to the bank. */
type ListedEmi = { bank: string; months: number; total_with_fee: string }

/** On the payment's page; the bank takes its fee with the first instalment. */
export type EmiInFull = ListedEmi & {
  first_payment: string
  monthly_installment: string
  interest: string
  fee: string
  merchant_absorbs: boolean
  schedule: { installment: number; due_month: string; amount: string }[]
}

export type DeliveryStatus = "pending" | "delivered" | "failed"

export type TimelineDelivery = {
  id: string
  kind: "webhook" | "ipn"
  url: string
  status: DeliveryStatus
  attempts: number
  last_status_code: number | null
  last_error: PresentedMessage | null
  next_attempt_at: string | null
}

type Entry<Type extends string, Members = object> = { at: string; type: Type } & Members

/** What the acquirer reports, and what it was asked for; of a refund when `refund_id` says so. */
type Mismatch = {
  reported_amount: string | null
  reported_currency: string | null
  amount: string
  currency: string
  reference: string
  refund_id: string | null
}

type AttemptState =
  "STARTED" | "REDIRECTED" | "CONFIRMING" | "HELD" | "SUCCEEDED" | "DECLINED" | "ABANDONED" | "SURPLUS" | "RETURNED"

export type DeclineReason =
  | "insufficient_funds"
  | "expired_card"
  | "wrong_security_code"
  | "wrong_pin"
  | "wrong_otp"
  | "otp_expired"
  | "too_many_tries"
  | "repeated_too_soon"
  | "limit_exceeded"
  | "authentication_failed"
  | "account_blocked"
  | "fraud_suspected"
  | "method_unavailable"

/** An attempt to pay, counted from 1. */
type About = { number: number; acquirer: string; payment_service: string }

export type TimelineEntry =
  | Entry<"session_opened">
  | Entry<
      "attempt",
      About & {
        state: AttemptState
        payment_method: string
        instrument: Instrument | null
      }
    >
  | Entry<
      "attempt_ended",
      About & {
        state: "DECLINED" | "ABANDONED"
        error_code: string | null
        error_message: string | null
        reason: DeclineReason | null
        tries_left: number | null
      }
    >
  | Entry<"flagged", { number: number; acquirer: string; risk: string; held: boolean }>
  | Entry<"instalments", PresentedMessage & { number: number; acquirer: string }>
  | Entry<"unresolved", { number: number; acquirer: string; returning: boolean }>
  | Entry<"found", { number: number; acquirer: string; note: string | null }>
  | Entry<
      "reviewed",
      { number: number; acquirer: string; decision: "accepted" | "given_back" | "seen"; note: string | null }
    >
  | Entry<"surplus_received" | "surplus_returned", About & { amount: string; acquirer_reference: string | null }>
  | Entry<
      "settled",
      {
        status: Exclude<Status, "PENDING">
        error_code: string | null
        error_message: string | null
        acquirer_reference: string | null
      }
    >
  | Entry<"amount_mismatch", Mismatch>
  | Entry<"cart", PresentedMessage & { order_id: string | null }>
  | Entry<"refund_requested", { refund_id: string; amount: string; reason: string; requested_by: string }>
  | Entry<
      "refund_ended",
      { refund_id: string; amount: string; status: "completed" | "failed" | "cancelled"; error_message: string | null }
    >
  | Entry<"event", { event_id: string; event_type: string; deliveries: TimelineDelivery[] }>

/** What only the acquirer's dashboard shows: our number there, and the acquirer's own ones. */
export type Unresolved = { key: string; since: string; references: Record<string, string> }

/** What is flagged about a payment (a risk, or other instalments than chosen), and what an admin made of it. */
export type Review = {
  state: "held" | "accepted" | "given_back" | "flagged" | "seen"
  risk: string | null
  differences: PresentedMessage[]
  reviewed_at: string | null
  reviewed_by: string | null
  reviewed_by_name: string | null
  note: string | null
}

export type Instrument = { brand?: string; last_four?: string; account?: string }

export type PaymentTimeline = Omit<Payment, "medusa_order_id" | "medusa_order_number" | "decline" | "emi"> & {
  session_id: string
  merchant_id: string
  environment: "sandbox" | "production"
  instrument: Instrument | null
  acquirer: string | null
  acquirer_reference: string | null
  error_message: string | null
  description: string | null
  customer: Record<"name" | "email" | "phone" | "address" | "city" | "postcode" | "country", string>
  expires_at: string
  review: Review | null
  unresolved: (Unresolved & { acquirer: string; kind: "payment" | "return"; amount: string }) | null
  cart: { id: string; state: string; order_id: string | null; last_error: PresentedMessage | null } | null
  refunds: { id: string; status: string; amount: string; reason: string; created_at: string }[]
  timeline: TimelineEntry[]
}

export const STATUS_COLORS: Readonly<Record<Status, Color>> = {
  SUCCESS: "green",
  PENDING: "blue",
  FAILED: "red",
  CANCELLED: "grey",
  EXPIRED: "grey",
  REFUNDED: "orange",
}

export const DELIVERY_COLORS: Readonly<Record<DeliveryStatus, Color>> = {
  pending: "blue",
  delivered: "green",
  failed: "red",
}
