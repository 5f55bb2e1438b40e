/*
 * The parts of Medusa's JS SDK that these pieces use. They are described here, so that the package does not depend on
 * one version of the SDK; an http test compiles and runs them with the real one.
 */

export type SdkHeaders = Record<string, string>

export type PaymentSessionAnswer = { provider_id: string; data: Record<string, unknown> }

/** A cart as the SDK answers it; with its payment collection the SDK makes no second one. */
export type CartRef = { id: string; payment_collection?: { id: string } | null | undefined }

export interface StatusSdk {
  client: {
    fetch<Answer>(path: string, init?: { query?: Record<string, string>; headers?: SdkHeaders }): Promise<Answer>
  }
}

/** For what is posted to the store besides payment sessions. */
export interface PostSdk {
  client: {
    fetch<Answer>(path: string, init?: { method?: string; body?: object; headers?: SdkHeaders }): Promise<Answer>
  }
}

export interface PaymentSdk<Cart extends CartRef = CartRef> {
  store: {
    payment: {
      initiatePaymentSession(
        cart: Cart,
        body: { provider_id: string; data?: Record<string, unknown> },
        query?: Record<string, never>,
        headers?: SdkHeaders
      ): Promise<{ payment_collection: { payment_sessions?: PaymentSessionAnswer[] } }>
    }
  }
}

/** Why a payment could not be started. More codes may come: show the message of one that is not known. */
export type ErrorCode =
  | "network"
  | "too_many_requests"
  | "cart_completed"
  | "being_paid"
  | "cart_changed"
  | "sign_in"
  | "amount"
  | "currency"
  | "code_needed"
  | "code_wrong"
  | "code_expired"
  | "code_limit"
  | "code_unsent"
  | "advance_changed"
  | "refused"
  | "unavailable"

/** Plain data: a server action of Next.js can answer it. */
export type ShopperError = {
  code: ErrorCode
  /** For the shopper, in their language. */
  message: string
  /** The store's own words, in English: for a log, never for the shopper. */
  detail: string
}

export type StartedPayment =
  { ok: true; url: string; sessionId: string; expiresAt: string | null } | { ok: false; error: ShopperError }

export type PaymentIds = { cartId: string; sessionId: string; transactionId: string }

/**
 * What became of a payment. `open`: not paid yet, or not known yet; do not pay again. `refunded`: paid, but it could not
 * become an order. `unknown`: the store has no such payment.
 */
export type Outcome =
  | ({ state: "paid"; orderId: string } & PaymentIds)
  | ({ state: "declined" | "cancelled" | "expired" | "refunded" } & PaymentIds)
  | ({ state: "open" } & Partial<PaymentIds>)
  | { state: "unknown" }

export type OutcomeState = Outcome["state"]
