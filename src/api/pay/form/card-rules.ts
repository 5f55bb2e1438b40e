/**
 * Rules for card details that the server and the browser share: the page's script contains the source text of these
 * functions (client/script.ts). So they may use only their arguments and each other.
 */

export type Expiry = { month: number; year: number }

/**
 * Whether the check digit (Luhn) and the length of a card number are valid. `digits` is ASCII digits only. No
 * package is used, because the page's script contains the source text of this function.
 */
export function isCardNumber(digits: string): boolean {
  if (!/^[0-9]{12,19}$/.test(digits)) {
    return false
  }
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/** The scheme's name from the first digits of a card, or "" when the scheme is unknown. */
export function cardBrand(digits: string): string {
  if (/^3[47]/.test(digits)) {
    return "Amex"
  }
  if (/^4/.test(digits)) {
    return "Visa"
  }
  if (/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(digits)) {
    return "Mastercard"
  }
  return /^62/.test(digits) ? "UnionPay" : ""
}

export function cvcLength(digits: string): number {
  return cardBrand(digits) === "Amex" ? 4 : 3
}

/** Parses MM/YY, MM / YYYY, MM-YY and MMYY (browsers fill in any of them); years of two digits are 20YY. */
export function parseExpiry(text: string): Expiry | null {
  const match =
    /^\s*([0-9]{1,2})\s*[/ .-]\s*([0-9]{4}|[0-9]{2})\s*$/.exec(text) ?? /^\s*([0-9]{2})([0-9]{2})\s*$/.exec(text)
  if (match === null) {
    return null
  }
  const month = Number(match[1])
  const year = match[2].length === 2 ? 2000 + Number(match[2]) : Number(match[2])
  return month >= 1 && month <= 12 ? { month, year } : null
}

/** A card is valid to the end of its month. A date more than twenty years ahead is a mistake. */
export function isExpiryUsable(expiry: Expiry, now: Expiry): boolean {
  const months = (expiry.year - now.year) * 12 + expiry.month - now.month
  return months >= 0 && months <= 240
}
