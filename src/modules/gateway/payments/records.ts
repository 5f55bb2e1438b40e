import { withOutcome } from "../kernel/http/callback-url"
import type { IntervalUnit } from "../kernel/money/calendar"
import { clockNow, type Environment } from "../kernel/money/clock"
import type { EmiPlan } from "../emi/plan"
import { formatAmount } from "../kernel/money/money"
import { publicStatus, type TransactionState, type TransactionStatus } from "./states"
import type { AmountMismatch } from "../acquirers/amount-mismatch"
import type { AttemptState } from "./attempt-states"
import type { CaptureMode } from "../merchants/payment-services"
import type { DeclineReason, InstrumentSummary, KeptInstrument, References } from "../acquirers/port"
import type { CustomerDetails, OrderItem, PaymentInfo } from "../acquirers/order"

/** Why an attempt was declined, for the sentence on the page. */
export type Decline = { reason: DeclineReason | null; tries_left: number | null }

/**
 * A transaction with its session, as the payment services read it: one row, one lock. Amounts in hundredths of the
 * payment's currency.
 */
export type PaymentRecord = {
  transaction_id: string
  session_id: string
  merchant_id: string
  environment: Environment
  order_id: string
  /** What people read as the order's number: the shop's own, otherwise `order_id`. */
  order_number: string
  state: TransactionState
  currency: string
  /** What was paid; of a payment whose money was reserved what has been captured, and before that what is reserved. */
  amount_minor: number
  /** What the shopper's bank had reserved; null: the money was taken at once. */
  authorized_minor: number | null
  charge_minor: number
  /** The sum of pending, processing and completed refunds. */
  refunded_minor: number
  /** Of `refunded_minor`: refunds that wait for approval, or in a batch. */
  waiting_minor: number
  /** What disputes have taken that are open or lost. */
  disputed_minor: number
  payment_method: string | null
  payment_service: string | null
  instrument: InstrumentSummary | null
  acquirer: string | null
  acquirer_reference: string | null
  error_code: string | null
  error_message: string | null
  /** How often the shopper has tried to pay, and how often they may. */
  attempts: number
  attempts_max: number
  /** Attempts that the shopper has closed at the acquirer. */
  closings: number
  /** Whether a payment that the acquirer flags as risky waits for an admin. */
  hold_risky: boolean
  /** Whether the customer gets a receipt by e-mail. */
  sends_receipts: boolean
  /** When the merchant takes the money of payments. */
  merchant_capture: CaptureMode
  expires_at: Date
  verified_at: Date | null
  finished_at: Date | null
  description: string | null
  success_url: string
  fail_url: string
  cancel_url: string
  ipn_url: string | null
  customer: CustomerDetails
  items: OrderItem[] | null
  payment_info: PaymentInfo | null
  /**
   * `billing`: an automatic charge, whose page no shopper has seen. `verification`: it only verifies a subscription's
   * new payment method, and is given back. `order`: it pays what is outstanding of `store_order_id`.
   */
  source: "api" | "cart" | "billing" | "verification" | "order"
  /** The Medusa order whose balance it pays; null for every other source. */
  store_order_id: string | null
  cart_id: string | null
  payment_session_id: string | null
  return_url: string | null
  subscription_id: string | null
  subscription_period: number | null
  /** The length of period that the checkout offered. */
  interval_count: number | null
  interval_unit: IntervalUnit | null
  /** The store's customer who started it signed in, and whose saved methods it may use; null: nobody. */
  store_customer_id: string | null
  /** The instrument that the acquirer kept for automatic charges on request; its token encrypted. */
  kept_instrument: KeptInstrument | null
  /** The amount that the acquirer reports when it differs; the payment then stays open. */
  amount_mismatch: AmountMismatch | null
  clock_offset_seconds: number
  /** The merchant's (IANA). */
  time_zone: string
} & CurrentAttempt

/** A payment with one of its attempts, which need not be the latest, and what that one was made with. */
export type AttemptRecord = PaymentRecord & {
  latest_attempt_id: string | null
  paid_with: Pick<PaymentRecord, "acquirer" | "payment_method" | "payment_service" | "charge_minor">
}

/** The latest attempt of a payment, or the one that is asked about. All members are null before the first. */
type CurrentAttempt = {
  attempt_id: string | null
  attempt_state: AttemptState | null
  /** A decline of this attempt ends the transaction. */
  attempt_is_final: boolean | null
  /** Real time, not the merchant's clock: it shows whether the call to the acquirer can still be under way. */
  attempt_started_at: Date | null
  attempt_confirmed_at: Date | null
  attempt_error_code: string | null
  attempt_error_message: string | null
  attempt_decline: Decline | null
  /** The shopper has agreed that the method is saved. */
  attempt_saves: boolean | null
  /** When its money is to be taken. */
  attempt_capture: CaptureMode | null
  /** The saved method that it charges, or that it has saved. */
  attempt_instrument_id: string | null
  acquirer_ids: References | null
  redirect_url: string | null
  /**
   * The visitor's address as the limits count it, while the outcome is open; null: no visitor of the hosted page began
   * it.
   */
  visitor_network: string | null
}

/** SQL: what of a transaction's `refunded_minor` only waits: no acquirer has been asked to give it back. */
export const WAITING_MINOR = `
  CASE WHEN t.refunded_minor = 0 THEN 0
       ELSE (SELECT COALESCE(sum(r.amount_minor), 0)::int FROM gateway_refund r WHERE r.transaction_id = t.id AND r.state = 'pending') END`

/** SQL: `closings`; before the first attempt nothing is looked up. */
const CLOSINGS = `CASE WHEN t.attempts = 0 THEN 0 ELSE (SELECT count(*)::int FROM gateway_payment_attempt c
  WHERE c.transaction_id = t.id AND c.state = 'DECLINED' AND c.error_code = 'CANCELLED') END`

export const PAYMENT_COLUMNS = `
  t.id AS transaction_id, t.session_id, t.merchant_id, t.environment, t.order_id, COALESCE(s.order_number, t.order_id) AS order_number, t.state, t.currency,
  t.amount_minor, t.authorized_minor, t.charge_minor, t.refunded_minor, ${WAITING_MINOR} AS waiting_minor, t.disputed_minor, t.payment_method, t.payment_service, t.instrument, t.acquirer,
  t.acquirer_reference, t.error_code, t.error_message, t.attempts, t.amount_mismatch, t.expires_at, t.verified_at, t.finished_at,
  s.description, s.success_url, s.fail_url, s.cancel_url, s.ipn_url, s.customer, s.items, s.payment_info, s.source, s.cart_id, s.store_order_id,
  s.payment_session_id, s.return_url, s.subscription_id, s.subscription_period, s.interval_count, s.interval_unit, s.store_customer_id, t.kept_instrument,
  e.clock_offset_seconds, e.time_zone, e.payment_attempts AS attempts_max, ${CLOSINGS} AS closings, e.hold_risky, e.receipts AND s.source <> 'verification' AS sends_receipts, e.capture AS merchant_capture,
  a.id AS attempt_id, a.state AS attempt_state, a.is_final AS attempt_is_final,
  a.started_at AS attempt_started_at, a.confirmed_at AS attempt_confirmed_at, a.error_code AS attempt_error_code, a.error_message AS attempt_error_message, a.decline AS attempt_decline, a.acquirer_ids,
  a.redirect_url, a.visitor_network, a.saves AS attempt_saves, a.instrument_id AS attempt_instrument_id,
  a.capture AS attempt_capture`

/**
 * With the latest attempt. A statement that waits for the lock of `t` may still see that attempt as it was before, so a
 * decision by its state needs a guarded write.
 */
export const PAYMENT_TABLES = `
  gateway_transaction t
  JOIN gateway_checkout_session s ON s.id = t.session_id
  JOIN gateway_merchant_environment e ON e.merchant_id = t.merchant_id AND e.environment = t.environment
  LEFT JOIN gateway_payment_attempt a ON a.id = t.attempt_id`

export const ATTEMPT_COLUMNS = `${PAYMENT_COLUMNS}, t.attempt_id AS latest_attempt_id,
  jsonb_build_object('acquirer', a.acquirer, 'payment_method', a.payment_method, 'payment_service', a.payment_service,
    'charge_minor', a.charge_minor) AS paid_with`

/** With the attempt that a condition on `a` names, whether or not it is the latest. */
export const ATTEMPT_TABLES = PAYMENT_TABLES.replace(
  "LEFT JOIN gateway_payment_attempt a ON a.id = t.attempt_id",
  "JOIN gateway_payment_attempt a ON a.transaction_id = t.id"
)

/** How a payment ended for the shopper, and where the browser goes next. */
export type PaymentOutcome = {
  transaction_id: string
  order_id: string
  status: TransactionStatus
  /** Its money is reserved, and not yet captured. */
  authorized: boolean
  redirect_url: string
  error_code: string | null
  /** The code with which this attempt was declined, even if another one may follow. */
  declined: string | null
  /** The attempt that the outcome is of; null: none was made. */
  attempt_id: string | null
}

/** The merchant's URL for a status (contract 3.3), with the outcome appended. */
export function returnUrl(record: PaymentRecord, status: TransactionStatus): string {
  const succeeded = status === "SUCCESS" || status === "REFUNDED" || record.state === "AUTHORIZED"
  const base = succeeded ? record.success_url : status === "CANCELLED" ? record.cancel_url : record.fail_url
  return withOutcome(base, { transaction_id: record.transaction_id, status, order_id: record.order_id })
}

/** A PENDING payment leads to its own page, which says that it is being confirmed. */
export function outcomeOf(record: PaymentRecord, now: Date, pageUrl: string): PaymentOutcome {
  const status = publicStatus(record.state, record.expires_at, now)
  const authorized = record.state === "AUTHORIZED"
  return {
    transaction_id: record.transaction_id,
    order_id: record.order_id,
    status,
    authorized,
    redirect_url: status === "PENDING" && !authorized ? pageUrl : returnUrl(record, status),
    error_code: record.error_code,
    declined: record.attempt_state === "DECLINED" ? record.attempt_error_code : null,
    attempt_id: record.attempt_id,
  }
}

/** The part of a payment that events and notifications contain. */
export type PaymentFacts = Pick<
  PaymentRecord,
  | "transaction_id"
  | "order_id"
  | "session_id"
  | "state"
  | "amount_minor"
  | "authorized_minor"
  | "currency"
  | "charge_minor"
  | "payment_service"
  | "error_code"
  | "ipn_url"
>

/** The data of the payment.* events (decisions: Webhooks). */
export function paymentEventData(record: PaymentFacts, status: TransactionStatus): Record<string, unknown> {
  return {
    transaction_id: record.transaction_id,
    order_id: record.order_id,
    session_id: record.session_id,
    status,
    amount: formatAmount(record.amount_minor),
    currency: record.currency,
    charge_amount: formatAmount(record.charge_minor),
    payment_method: record.payment_service ?? "",
    error_code: record.error_code,
    ...(record.authorized_minor === null ? {} : authorizedAmounts(record.authorized_minor, record)),
  }
}

/** What events and answers add about a payment whose money was reserved. */
export function authorizedAmounts(
  authorized_minor: number,
  { state, amount_minor }: Pick<PaymentRecord, "state" | "amount_minor">
): { authorized_amount: string; captured_amount: string } {
  const isCaptured = state === "SUCCESS" || state === "REFUNDED"
  return {
    authorized_amount: formatAmount(authorized_minor),
    captured_amount: formatAmount(isCaptured ? amount_minor : 0),
  }
}

/** The current moment on the merchant's clock. */
export function merchantNow(record: Pick<PaymentRecord, "clock_offset_seconds">): Date {
  return clockNow(new Date(), record.clock_offset_seconds)
}

/** The columns that verification reads (contract 2.7). */
export type VerifiedRow = Pick<
  PaymentRecord,
  | "transaction_id"
  | "order_id"
  | "state"
  | "currency"
  | "amount_minor"
  | "charge_minor"
  | "payment_service"
  | "acquirer_reference"
  | "error_code"
  | "error_message"
  | "expires_at"
  | "verified_at"
  | "customer"
  | "authorized_minor"
> & { emi: EmiPlan | null; capture_before: Date | null; capturable_minor: number | null }

/** The order's own notification of a final status (decisions: Callback, IPN and webhook URLs). */
export function ipnOf(
  record: PaymentFacts,
  status: TransactionStatus,
  at: Date
): { url: string; body: Record<string, unknown> } | null {
  if (record.ipn_url === null || status === "PENDING") {
    return null
  }
  return {
    url: record.ipn_url,
    body: {
      transaction_id: record.transaction_id,
      order_id: record.order_id,
      session_id: record.session_id,
      status,
      amount: formatAmount(record.amount_minor),
      currency: record.currency,
      payment_method: record.payment_service ?? "",
      occurred_at: at.toISOString(),
    },
  }
}
