import type { BigNumberInput } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { parseAmount, type Minor } from "../../modules/gateway/kernel/money"

/** bignumber.js's value for rounding half up; Medusa does not export its constants. */
const ROUND_HALF_UP = 4

/** Medusa's exact number as text with two decimals, rounded half up: taxes and discounts may leave more decimals. */
export function amountText(value: BigNumberInput): string {
  return MathBN.convert(value).toFixed(2, ROUND_HALF_UP)
}

/** Hundredths of the currency of an amount that may be zero, rounded half up; never through a float. */
export function minorOf(value: BigNumberInput): Minor {
  return BigInt(MathBN.mult(value, 100).toFixed(0, ROUND_HALF_UP))
}

/** Hundredths of the currency, rounded; never through a float. Throws INVALID_REQUEST for an invalid amount. */
export function toMinor(value: BigNumberInput): Minor {
  const minor = parseAmount(amountText(value))
  if (minor === null) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.amount_to_pay"))
  }
  return minor
}
