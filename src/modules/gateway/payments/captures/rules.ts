import { messageOf } from "../../../../i18n/message"
import { fault, GatewayError, validationError } from "../../kernel/errors"
import { divideHalfUp, statedAmount, type Minor } from "../../kernel/money/money"
import type { Authorization } from "./records"
import type { CaptureMode } from "../../merchants/payment-services"

/** The fee of the first `captured` hundredths of a payment: its share of the fee of all of it, rounded half up. */
export function feeOf(
  captured: Minor,
  { amount_minor, charge_minor }: Pick<Authorization, "amount_minor" | "charge_minor">
): Minor {
  return divideHalfUp(BigInt(charge_minor) * captured, BigInt(amount_minor))
}

/** The fee of one more capture, so that the fees of all captures are the fee of their sum. */
export function feeOfNext(
  before: Minor,
  amount: Minor,
  of: Pick<Authorization, "amount_minor" | "charge_minor">
): Minor {
  return feeOf(before + amount, of) - feeOf(before, of)
}

/** What is reserved and not captured yet, in hundredths of the currency. */
export function capturable({ amount_minor, captured_minor, is_single, state }: Authorization): Minor {
  return state === "open" && !(is_single && captured_minor > 0) ? BigInt(amount_minor - captured_minor) : 0n
}

/** What a capture may take now: no more than the store's order still owes. `owed` null: there is no such order. */
export function capturableNow(authorization: Authorization, owed: Minor | null): Minor {
  const left = capturable(authorization)
  const due = owed === null ? left : owed - BigInt(authorization.captured_minor)
  return due <= 0n ? 0n : due < left ? due : left
}

/**
 * What a capture takes: `wanted`, or all that may be taken. `owed`: what the store's order costs without what was paid
 * otherwise; null: there is none. Errors: INVALID_STATE_TRANSITION (nothing is reserved any more, its time is up, or the
 * order owes nothing), VALIDATION_ERROR with `amount` (more than may be taken).
 */
export function amountToCapture(
  authorization: Authorization,
  wanted: Minor | null,
  now: Date,
  owed: Minor | null
): Minor {
  if (capturable(authorization) === 0n || now >= authorization.capture_before) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.nothing_to_capture"))
  }
  const left = capturableNow(authorization, owed)
  if (left === 0n) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.order_owes_nothing"))
  }
  if (wanted !== null && wanted > left) {
    const limit = statedAmount(left, authorization.currency)
    throw validationError([fault("amount", messageOf("rule.capture_at_most", { limit }))])
  }
  return wanted ?? left
}

/** Whether nothing can be captured after this capture. */
export function isFinalCapture(authorization: Authorization, amount: Minor): boolean {
  return authorization.is_single || amount === capturable(authorization)
}

/** What decides when a payment's money is taken. */
export type CapturedPayment = {
  source: string
  subscription_id: string | null
  payment_info: { capture?: "automatic" | "manual" | null; is_recurring?: unknown } | null
}

/**
 * When the money of a payment is taken. What the order asks for counts before the payment service's setting, and that
 * before the merchant's. Only a Medusa order is fulfilled: another payment waits for the merchant. A subscription begins
 * with money that was taken, and so does an EMI plan (`needsMoney`).
 */
export function captureModeOf(
  { source, subscription_id, payment_info }: CapturedPayment,
  ofService: CaptureMode | null,
  ofMerchant: CaptureMode,
  needsMoney = false
): CaptureMode {
  const isRecurring = subscription_id !== null || payment_info?.is_recurring === true
  if ((source !== "api" && source !== "cart") || isRecurring || needsMoney) {
    return "automatic"
  }
  const mode = payment_info?.capture ?? ofService ?? ofMerchant
  return mode === "on_fulfilment" && source !== "cart" ? "manual" : mode
}
