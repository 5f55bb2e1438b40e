import { LIMITS } from "../kernel/limits"
import { HOME_CURRENCY } from "../kernel/money/currencies"
import type { Minor } from "../kernel/money/money"
import type { SubscriptionState } from "./states"

/**
 * What a subscription's new payment method costs. `verify`: nothing, a small amount is taken and given back at once
 * (docs/decisions/18). `pay`: the open period, because it is owed already.
 */
export type MethodChange = "verify" | "pay"

/** ৳100.00, in hundredths (docs/decisions/18). */
const VERIFICATION_MINOR = 10_000n

/** Null: it has ended, and nothing is charged any more. */
export function methodChangeOf(status: SubscriptionState): MethodChange | null {
  switch (status) {
    case "PENDING":
    case "PAST_DUE":
      return "pay"
    case "TRIALING":
    case "ACTIVE":
    case "PAUSED":
      return "verify"
    case "CANCELLED":
    case "EXPIRED":
      return null
  }
}

/**
 * In hundredths of the currency: an amount that our acquirers take. Card processors refuse payments of less than about
 * half a dollar.
 */
export function verificationAmount(currency: string): Minor {
  return currency === HOME_CURRENCY ? VERIFICATION_MINOR : LIMITS.otherAmountMinMinor
}
