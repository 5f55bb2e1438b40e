import { LIMITS } from "../kernel/limits"
import { HOME_CURRENCY } from "../kernel/currencies"
import type { Minor } from "../kernel/money"
import type { SubscriptionState } from "./states"

/**
 * What a subscription's new payment method costs. `verify`: nothing, the smallest amount is taken and given back at once
 * (docs/decisions/0058). `pay`: the open period, because it is owed already.
 */
export type MethodChange = "verify" | "pay"

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

/** The smallest amount that a payment may have, in hundredths of the currency. */
export function verificationAmount(currency: string): Minor {
  return currency === HOME_CURRENCY ? LIMITS.orderAmountMinMinor : LIMITS.otherAmountMinMinor
}
