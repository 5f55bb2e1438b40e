import { HOME_CURRENCY } from "./currencies"

/**
 * Exact money: bigint minor units (hundredths of a currency: poisha of taka, cents of dollars), parsed from decimal
 * text, every rounding named. Never a float: 0.1 + 0.2 taka must be 0.3 taka.
 */
export type Minor = bigint

const MAX_INTEGER_DIGITS = 13
const DECIMAL_TEXT = /^[0-9]+(?:\.[0-9]{1,2})?$/

/**
 * Parses a decimal amount as a merchant sends it: a number, or text of ASCII digits with at most two decimals
 * (`10`, `10.5`, `10.50`). Anything else (signs, spaces, exponents, separators, other scripts) is null. Source:
 * decisions, Requests.
 */
export function parseAmount(value: unknown): Minor | null {
  const text = typeof value === "number" ? numberToText(value) : value
  if (typeof text !== "string" || !DECIMAL_TEXT.test(text)) {
    return null
  }
  const [integer, fraction = ""] = text.split(".")
  if (integer.replace(/^0+/, "").length > MAX_INTEGER_DIGITS) {
    return null
  }
  return BigInt(integer) * 100n + BigInt(fraction.padEnd(2, "0"))
}

/** The shortest decimal text of a finite number. Exponent forms stay as they are: the caller refuses them. */
function numberToText(value: number): string | null {
  return Number.isFinite(value) ? String(value) : null
}

/** `decimals` is 2 for money strings, 4 for the amounts of a verification (contract 2.7). */
export function formatAmount(minor: Minor | number, decimals: 2 | 4 = 2): string {
  const value = BigInt(minor)
  const sign = value < 0n ? "-" : ""
  const absolute = value < 0n ? -value : value
  const fraction = (absolute % 100n).toString().padStart(2, "0").padEnd(decimals, "0")
  return `${sign}${absolute / 100n}.${fraction}`
}

/** An amount in a sentence: "985.00" of the contract's currency, "985.00 USD" of another. */
export function statedAmount(minor: Minor | number, currency: string): string {
  return currency === HOME_CURRENCY ? formatAmount(minor) : `${formatAmount(minor)} ${currency}`
}

/** numerator / denominator rounded half up (away from zero on a tie); the denominator is positive. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) {
    throw new RangeError("denominator must be positive")
  }
  const negative = numerator < 0n
  const absolute = negative ? -numerator : numerator
  const rounded = (absolute * 2n + denominator) / (denominator * 2n)
  return negative ? -rounded : rounded
}

/** A share of an amount in basis points (1/100 of a percent; 250 = 2.5 %), rounded half up to the poisha. */
export function basisPointsOf(amount: Minor, basisPoints: number): Minor {
  return divideHalfUp(amount * BigInt(basisPoints), 10_000n)
}

/**
 * The processing fee of a payment service, in the payment's currency: rate plus fixed part, rounded half up. The fixed
 * part is agreed in poisha and applies to BDT alone: there is no exchange rate here to convert it by. Source: decisions,
 * Checkout (`charge_amount`); docs/decisions/0050.
 */
export function processingFee(
  payment: { amount_minor: Minor | number; currency: string },
  fee: { basisPoints: number; fixedMinor: number }
): Minor {
  const fixed = payment.currency === HOME_CURRENCY ? BigInt(fee.fixedMinor) : 0n
  return basisPointsOf(BigInt(payment.amount_minor), fee.basisPoints) + fixed
}

/** Percentages as decimal text and as whole millionths (12.5 % is 125,000): never a float. */
const PERCENT_TEXT = /^[0-9]{1,3}(?:\.[0-9]{1,4})?$/
const PPM_OF_A_HUNDRED = 1_000_000

/** Parses a percentage from 0 to 100 with at most four decimals into millionths; null for anything else. */
export function parsePercent(value: unknown): number | null {
  const text = typeof value === "number" && Number.isFinite(value) ? String(value) : value
  if (typeof text !== "string" || !PERCENT_TEXT.test(text)) {
    return null
  }
  const [integer, fraction = ""] = text.split(".")
  const ppm = Number(integer) * 10_000 + Number(fraction.padEnd(4, "0"))
  return ppm <= PPM_OF_A_HUNDRED ? ppm : null
}

/** Formats with at least two decimals and more where needed: `12.50`, `9.125`. */
export function formatPercent(ppm: number): string {
  const [integer, fraction] = [Math.floor(ppm / 10_000), String(ppm % 10_000).padStart(4, "0")]
  return `${integer}.${fraction.replace(/0{1,2}$/, "")}`
}
