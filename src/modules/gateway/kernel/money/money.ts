import { HOME_CURRENCY } from "./currencies"

/**
 * Exact money: bigint minor units (hundredths of a currency: poisha of taka, cents of dollars), parsed from decimal
 * text, every rounding named. Never a float: 0.1 + 0.2 taka must be 0.3 taka.
 */
export type Minor = bigint

/** 13 digits before the point: such an amount is exact as a number too. */
const MAX_MINOR = 10n ** 15n - 1n
/** The zeros after the second decimal change nothing; a verification itself answers four decimals. */
const DECIMAL_TEXT = /^(-?)([0-9]+)(?:\.([0-9]{1,2})0*)?$/
/** Longer than the text of any number, and short enough for BigInt, whose time grows faster than the length. */
const MAX_TEXT_CHARS = 400

/**
 * Parses a decimal amount as a merchant sends it: a number, or text of ASCII digits with at most two decimals
 * (`10`, `10.5`, `10.50`), after which zeros may follow. Anything else (signs, spaces, exponents, separators, other
 * scripts), and what has more than 13 digits before the point, is null. Source: decisions, Requests; Found by real
 * clients.
 */
export function parseAmount(value: unknown): Minor | null {
  const signed = typeof value === "string" && value.startsWith("-")
  const minor = signed ? null : parseAmountOfAnySize(value)
  return minor === null || minor < 0n || minor > MAX_MINOR ? null : minor
}

/**
 * Like `parseAmount`, but negative and very large amounts are read too: for fields whose range has an error code of its
 * own. The caller checks the range.
 */
export function parseAmountOfAnySize(value: unknown): Minor | null {
  const text = typeof value === "number" ? numberToText(value) : value
  const parts = typeof text === "string" && text.length <= MAX_TEXT_CHARS ? DECIMAL_TEXT.exec(text) : null
  if (parts === null) {
    return null
  }
  const [, sign, integer, fraction = ""] = parts
  const minor = BigInt(integer) * 100n + BigInt(fraction.padEnd(2, "0"))
  return sign === "-" ? -minor : minor
}

/**
 * The decimal text of a finite number: the shortest one, and all digits of a large whole number, which JavaScript would
 * write with an exponent. Exponents of small fractions stay as they are: the caller refuses them.
 */
function numberToText(value: number): string | null {
  if (Number.isInteger(value)) {
    return BigInt(value).toString()
  }
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

/**
 * A share of an amount in basis points (1/100 of a percent; 250 = 2.5 %), rounded half up to a hundredth of its
 * currency.
 */
export function basisPointsOf(amount: Minor, basisPoints: number): Minor {
  return divideHalfUp(amount * BigInt(basisPoints), 10_000n)
}

/**
 * The processing fee of a payment service, in the payment's currency: rate plus fixed part, rounded half up. The fixed
 * part is agreed in poisha and applies to BDT alone: there is no exchange rate here to convert it by. Source:
 * decisions, Checkout (`charge_amount`); docs/decisions/08.
 */
export function processingFee(
  payment: { amount_minor: Minor | number; currency: string },
  fee: { basisPoints: number; fixedMinor: number }
): Minor {
  const fixed = payment.currency === HOME_CURRENCY ? BigInt(fee.fixedMinor) : 0n
  return basisPointsOf(BigInt(payment.amount_minor), fee.basisPoints) + fixed
}

/** Percentages as decimal text and as whole millionths (12.5 % is 125,000): never a float. */
export const PERCENT_LIMITS = { min: 0, max: 100, decimals: 4 } as const
const PERCENT_TEXT = new RegExp(`^[0-9]{1,3}(?:\\.[0-9]{1,${PERCENT_LIMITS.decimals}})?$`)
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
