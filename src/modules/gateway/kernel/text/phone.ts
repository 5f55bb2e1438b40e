import { asciiDigits } from "../../../../i18n/typed"

const ACCEPTED = /^[(]?\+?[(]?[0-9][0-9 .()-]{5,24}$/
/**
 * The zero that is dialled only within the country, as written after a country code: +880 (0)1712345678. No country has the
 * code 88: there the zero is the end of 880.
 */
const BRACKETED_ZERO = /^([(]?(?:\+(?!8[ .-]*8[) .-]*\()[0-9 .-]{1,6}|880)[)]?[ .-]*)\(0\)/
const SEPARATORS = /[ .()-]/g
const ZEROS = /^(?:\+[1-9][0-9]{0,2}|880)?0{6,}$/
/** A Bangladeshi mobile number as nearly every shop sends it. Every one of them is a valid number of the country. */
const PLAIN_MOBILE = /^(?:\+?88)?(01[0-9]{9})$/

/**
 * Normalises a phone number to E.164; null when that is impossible. Digits may be of any script. Spaces, dashes, dots and brackets separate digits.
 * Bangladeshi numbers may come without country code, or with it but without the plus; other countries' numbers need the
 * full international form. Source: decisions, Requests (phone); Digits.
 */
export function normalisePhone(input: string): string | null {
  const written = asciiDigits(input)
  // The library takes longer to read one number than the rest of an order takes to be checked.
  const [, mobile] = PLAIN_MOBILE.exec(written) ?? []
  if (mobile !== undefined) {
    return `+88${mobile}`
  }
  const text = written.trim()
  if (!ACCEPTED.test(text)) {
    return null
  }
  const digits = text.replace(BRACKETED_ZERO, "$1").replace(SEPARATORS, "")
  const international = digits.startsWith("880") ? `+${digits}` : digits
  const { parsePhoneNumberFromString } = require("libphonenumber-js/min") as typeof import("libphonenumber-js/min")
  const parsed = parsePhoneNumberFromString(international, "BD")
  return parsed?.isValid() ? parsed.number : null
}

/** Whether this is a Bangladeshi mobile number: 01 and nine digits nationally. */
export function isBangladeshiMobile(e164: string): boolean {
  return /^\+8801[0-9]{9}$/.test(e164)
}

/**
 * Whether a number has a subscriber part of zeros alone, which shop modules send where there is no phone:
 * `+8800000000000`. A valid number is never taken for it.
 */
export function isAllZeros(input: string): boolean {
  return ZEROS.test(input.replace(SEPARATORS, "")) && normalisePhone(input) === null
}

/** A number in E.164 of which a person recognises their own: `+88017•••••678`. */
export function maskedPhone(e164: string): string {
  return `${e164.slice(0, -8)}•••••${e164.slice(-3)}`
}

/**
 * A wallet or account as attempts keep it, with the last four digits that a search finds: `017****5678`. Of a short one
 * only the beginning.
 */
export function maskedAccount(account: string): string {
  // With the country's code the operator, by which its owner knows it, would be behind the mask.
  const known = account.replace(/^\+?880(?=1\d{9}$)/, "0")
  return `${known.slice(0, 3)}****${known.length > 10 ? known.slice(-4) : ""}`
}
