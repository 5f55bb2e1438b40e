import type { DeclineReason } from "../port"

export type Decline = { code: string; reason?: DeclineReason }

/**
 * Stripe's decline codes (`decline_code`) and, where there is none, error codes (`code`), as the contract's sub-codes
 * and our reasons. What is not listed is CARD_DECLINED without a reason.
 */
const DECLINES: Readonly<Record<string, Decline>> = {
  insufficient_funds: { code: "INSUFFICIENT_FUNDS", reason: "insufficient_funds" },
  expired_card: { code: "EXPIRED_CARD", reason: "expired_card" },
  incorrect_cvc: { code: "INVALID_CVV", reason: "wrong_security_code" },
  invalid_cvc: { code: "INVALID_CVV", reason: "wrong_security_code" },

  fraudulent: { code: "FRAUD_SUSPECTED", reason: "fraud_suspected" },
  lost_card: { code: "FRAUD_SUSPECTED", reason: "fraud_suspected" },
  stolen_card: { code: "FRAUD_SUSPECTED", reason: "fraud_suspected" },

  card_velocity_exceeded: { code: "LIMIT_EXCEEDED", reason: "limit_exceeded" },
  withdrawal_count_limit_exceeded: { code: "LIMIT_EXCEEDED", reason: "limit_exceeded" },

  processing_error: { code: "NETWORK_ERROR" },

  authentication_required: { code: "CARD_DECLINED", reason: "authentication_failed" },
  authentication_not_handled: { code: "CARD_DECLINED", reason: "authentication_failed" },
  mobile_device_authentication_required: { code: "CARD_DECLINED", reason: "authentication_failed" },
  payment_intent_authentication_failure: { code: "CARD_DECLINED", reason: "authentication_failed" },
  payment_intent_action_required: { code: "CARD_DECLINED", reason: "authentication_failed" },

  incorrect_pin: { code: "CARD_DECLINED", reason: "wrong_pin" },
  invalid_pin: { code: "CARD_DECLINED", reason: "wrong_pin" },
  pin_try_exceeded: { code: "CARD_DECLINED", reason: "too_many_tries" },

  pickup_card: { code: "CARD_DECLINED", reason: "account_blocked" },
  restricted_card: { code: "CARD_DECLINED", reason: "account_blocked" },

  card_not_supported: { code: "CARD_DECLINED", reason: "method_unavailable" },
  currency_not_supported: { code: "CARD_DECLINED", reason: "method_unavailable" },
  invalid_account: { code: "CARD_DECLINED", reason: "method_unavailable" },
  not_permitted: { code: "CARD_DECLINED", reason: "method_unavailable" },
  revocation_of_all_authorizations: { code: "CARD_DECLINED", reason: "method_unavailable" },
  revocation_of_authorization: { code: "CARD_DECLINED", reason: "method_unavailable" },
  service_not_allowed: { code: "CARD_DECLINED", reason: "method_unavailable" },
  stop_payment_order: { code: "CARD_DECLINED", reason: "method_unavailable" },
  transaction_not_allowed: { code: "CARD_DECLINED", reason: "method_unavailable" },
}

/** Error codes of a request that Stripe could not accept as it was (HTTP 400), where more than "our mistake" is known. */
export const BAD_REQUESTS: Readonly<Record<string, Decline>> = {
  amount_too_large: { code: "LIMIT_EXCEEDED", reason: "limit_exceeded" },
  // Stripe's minimum is about 0.50 USD; the smallest orders here are 10.00 BDT, and 0.50 in other currencies.
  amount_too_small: { code: "LIMIT_EXCEEDED", reason: "method_unavailable" },
  payment_method_not_available: { code: "CARD_DECLINED", reason: "method_unavailable" },
  payment_method_unexpected_state: { code: "CARD_DECLINED", reason: "method_unavailable" },
}

/** Why Stripe does not refund at all. Everything else about a refund is our mistake, and the same code. */
export const REFUND_REFUSALS: Readonly<Record<string, string>> = {
  charge_already_refunded: "ALREADY_REFUNDED",
  amount_too_large: "REFUND_EXCEEDED",
  balance_insufficient: "INSUFFICIENT_BALANCE",
  charge_disputed: "REFUND_NOT_ALLOWED",
  charge_not_refundable: "REFUND_NOT_ALLOWED",
  refund_disputed_payment: "REFUND_NOT_ALLOWED",
}

/** Why a refund failed at the bank (`failure_reason`). */
export const REFUND_FAILURES: Readonly<Record<string, string>> = {
  lost_or_stolen_card: "CARD_DECLINED",
  expired_or_canceled_card: "EXPIRED_CARD",
  charge_for_pending_refund_disputed: "REFUND_NOT_ALLOWED",
  insufficient_funds: "INSUFFICIENT_BALANCE",
}

/** `generic_decline` and `card_declined` say no more than that the card was declined. */
export function declineOf(decline_code?: string | null, code?: string | null): Decline {
  return DECLINES[decline_code ?? ""] ?? DECLINES[code ?? ""] ?? { code: "CARD_DECLINED" }
}
