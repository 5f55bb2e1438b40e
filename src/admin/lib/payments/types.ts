import type { PresentedMessage } from "../text"
import type { presentPayment } from "../../../api/admin/gateway/payments/resource"
import type {
  presentEmiPlanInFull,
  presentNote,
  presentTimeline,
} from "../../../api/admin/gateway/payments/[id]/resource"
import type { presentReview } from "../../../api/admin/gateway/payments/[id]/review"
import type { Reason as DisputeReason } from "../disputes/types"
import type { Json } from "../http"
import type { Color } from "../ui/bits"

export type Status = "SUCCESS" | "PENDING" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED"
/** What waits for an admin, as the list filters by it. */
export const ATTENTIONS = [
  "held",
  "flagged",
  "instalments",
  "unresolved",
  "unreturned",
  "capture_ending",
  "capture_missed",
  "capture_unresolved",
  "unreleased",
] as const

/** As the list filters by them: what is authorised is PENDING to the shop. */
export const STATUSES = ["SUCCESS", "AUTHORIZED", "PENDING", "FAILED", "CANCELLED", "EXPIRED", "REFUNDED"] as const
export const SERVICES = ["CARD", "BKASH", "NAGAD", "ROCKET", "UPAY", "INTERNET_BANKING", "WALLET"] as const

/** `order_number`: what people read; the shop's own number, otherwise `order_id`. */
export type Payment = Json<ReturnType<typeof presentPayment>> & { medusa_order_number: number | null }

/** On the payment's page; the bank takes its fee with the first instalment. */
export type EmiInFull = Json<ReturnType<typeof presentEmiPlanInFull>>

export type Note = Json<ReturnType<typeof presentNote>>

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
  | "STARTED"
  | "REDIRECTED"
  | "CONFIRMING"
  | "HELD"
  | "AUTHORIZED"
  | "SUCCEEDED"
  | "DECLINED"
  | "ABANDONED"
  | "SURPLUS"
  | "RETURNED"
  | "RELEASED"

export type DeclineReason =
  | "insufficient_funds"
  | "expired_card"
  | "wrong_security_code"
  | "wrong_pin"
  | "wrong_otp"
  | "otp_expired"
  | "too_many_tries"
  | "repeated_too_soon"
  | "repeated_in_ten_minutes"
  | "limit_exceeded"
  | "authentication_failed"
  | "account_blocked"
  | "fraud_suspected"
  | "method_unavailable"

type AboutDispute = { dispute_id: string; amount: string }

type AboutCapture = { capture_id: string; amount: string }

/** What became of reserved money. */
export type ReservedEntry =
  | Entry<"authorized", { amount: string; capture_before: string }>
  | Entry<"capture_requested" | "capture_unresolved", AboutCapture>
  | Entry<"captured", AboutCapture & { acquirer_reference: string | null }>
  | Entry<"capture_failed", AboutCapture & { error_message: string | null }>
  | Entry<"authorization_voided" | "authorization_expired" | "authorized_late", { amount: string }>

/** An attempt to pay, counted from 1. */
type About = { number: number; acquirer: string; payment_service: string; passed_on: boolean }

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
  | ReservedEntry
  | Entry<"amount_mismatch", Mismatch>
  | Entry<"cart", PresentedMessage & { order_id: string | null }>
  | Entry<"refund_requested", { refund_id: string; amount: string; reason: string; requested_by: string }>
  | Entry<
      "refund_ended",
      { refund_id: string; amount: string; status: "completed" | "failed" | "cancelled"; error_message: string | null }
    >
  | Entry<"dispute_opened", AboutDispute & { reason: DisputeReason }>
  | Entry<"dispute_submitted", AboutDispute>
  | Entry<"dispute_ended", AboutDispute & { status: "won" | "lost" | "closed" | "reinstated" }>
  | Entry<"event", { event_id: string; event_type: string; deliveries: TimelineDelivery[] }>

/** Reserved money, and its captures. */
export type Reserved = NonNullable<PaymentTimeline["reserved"]>

/** What only the acquirer's dashboard shows: our number there, and the acquirer's own ones. */
export type Unresolved = Pick<
  NonNullable<PaymentTimeline["unresolved"]>,
  "key" | "since" | "by_hand" | "numbers" | "payment"
>

/** What is flagged about a payment (a risk, or other instalments than chosen), and what an admin made of it. */
export type Review = NonNullable<Json<ReturnType<typeof presentReview>>>

export type Instrument = { brand?: string; last_four?: string; account?: string }

export type PaymentTimeline = Omit<Json<ReturnType<typeof presentTimeline>>, "timeline"> & { timeline: TimelineEntry[] }

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
