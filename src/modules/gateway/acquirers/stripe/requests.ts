import type Stripe from "stripe"
import type { CaptureRequest } from "../authorization-port"
import type { ChargeRequest, PaymentRequest, RefundRequest } from "../port"
import { integerOf, type KeptCard } from "./objects"

/** What Stripe sends with a payment intent: the charge with its fee, one question instead of three. */
export const EXPAND_INTENT = ["latest_charge.balance_transaction"]
export const EXPAND_SESSION = ["payment_intent.latest_charge.balance_transaction"]

/** Metadata under which everything of ours is found again; unlike Stripe's ids we know them before we ask. */
export const ATTEMPT = "gateway_attempt"
export const REFUND = "gateway_refund"
export const CAPTURE = "gateway_capture"

/** A session must live for at least 30 minutes from the moment when Stripe creates it; at most for 24 hours. */
const MIN_LIFE_MS = 30 * 60_000
const MAX_LIFE_MS = 24 * 3_600_000
/** For the request's own way, and for two clocks that disagree. */
export const LIFE_MARGIN_MS = 5 * 60_000

const NAME_MAX = 250
const METADATA_MAX = 500

/** `real_now`: Stripe's clock is the real one, while the merchant's sandbox clock may have been moved. */
export function sessionParams(request: PaymentRequest, real_now: Date): Stripe.Checkout.SessionCreateParams {
  const description = described(request)
  return {
    mode: "payment",
    ui_mode: "hosted_page",
    payment_method_types: ["card"],
    // Link may take the money from a bank account; a converted price would come back in another currency.
    wallet_options: { link: { display: "never" } },
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: request.currency.toLowerCase(),
          unit_amount: integerOf(request.amount),
          product_data: { name: description },
        },
      },
    ],
    client_reference_id: request.key,
    metadata: namesOf(request),
    payment_intent_data: {
      description,
      metadata: namesOf(request),
      ...(request.keep && { setup_future_usage: "off_session" }),
      ...captureMethod(request),
    },
    // Checkout makes the customer when the payment succeeds, so that an abandoned session leaves none behind.
    ...(request.keep && { customer_creation: "always" }),
    ...(request.customer.email !== "" && { customer_email: request.customer.email }),
    // Checkout does not speak Bangla.
    locale: request.language === "en" ? "en" : "auto",
    success_url: withResult(request.return_url, "paid"),
    cancel_url: withResult(request.return_url, "cancelled"),
    expires_at: Math.floor(expiryOf(request, real_now) / 1_000),
    expand: EXPAND_SESSION,
  }
}

function expiryOf({ expires_at, now }: PaymentRequest, real_now: Date): number {
  const left = Math.max(expires_at.getTime() - now.getTime(), MIN_LIFE_MS) + LIFE_MARGIN_MS
  return real_now.getTime() + Math.min(left, MAX_LIFE_MS - LIFE_MARGIN_MS)
}

/** What the browser brings back, a hint and no more. */
export const RESULT = "stripe_result"

function withResult(return_url: string, result: "paid" | "cancelled"): string {
  const url = new URL(return_url)
  url.searchParams.append(RESULT, result)
  return url.href
}

/** For people who look the payment up in Stripe's dashboard, and for our own look-ups. */
function namesOf({ key, order_id, transaction_id }: PaymentRequest): Record<string, string> {
  return { [ATTEMPT]: key, order_id, transaction_id }
}

/** Half of a character that has two code units, such as an emoji, could not be sent. */
function cut(text: string, max: number): string {
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "")
}

function described({ description, order_id }: PaymentRequest): string {
  return cut(description.trim() || `Order ${order_id}`, NAME_MAX)
}

/** `card`: as the token names it. Nobody is there to authenticate, so Stripe asks for no more than the kept consent. */
export function chargeParams(request: ChargeRequest, card: KeptCard): Stripe.PaymentIntentCreateParams {
  return {
    amount: integerOf(request.amount),
    currency: request.currency.toLowerCase(),
    customer: card.customer,
    payment_method: card.payment_method,
    payment_method_types: ["card"],
    off_session: true,
    confirm: true,
    description: cut(request.description, METADATA_MAX),
    metadata: { [ATTEMPT]: request.key },
    ...captureMethod(request),
    expand: EXPAND_INTENT,
  }
}

function captureMethod({ authorize_only }: Pick<PaymentRequest, "authorize_only">): { capture_method?: "manual" } {
  return authorize_only === true ? { capture_method: "manual" } : {}
}

/** Stripe adds the metadata to the payment intent's: they say which capture of ours has taken the money. */
export function captureParams({ key, amount }: CaptureRequest): Stripe.PaymentIntentCaptureParams {
  return { amount_to_capture: integerOf(amount), metadata: { [CAPTURE]: key } }
}

export function refundParams(request: RefundRequest): Stripe.RefundCreateParams {
  return {
    payment_intent: request.payment.reference,
    amount: integerOf(request.amount),
    reason: "requested_by_customer",
    metadata: {
      [REFUND]: request.key,
      [ATTEMPT]: request.payment.key,
      ...(request.reason.trim() && { reason: cut(request.reason.trim(), METADATA_MAX) }),
    },
  }
}
