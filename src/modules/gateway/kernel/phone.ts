import { parsePhoneNumberFromString } from "libphonenumber-js/min"

const ACCEPTED = /^\+?[0-9][0-9 -]{5,24}$/

/**
 * Normalises a phone number to E.164; null when that is impossible. Bangladeshi numbers may come without country code,
 * or with it but without the plus; other countries' numbers need the full international form. Source: decisions,
 * Requests (phone).
 */
export function normalisePhone(input: string): string | null {
  const text = input.trim()
  if (!ACCEPTED.test(text)) {
    return null
  }
  const digits = text.replace(/[ -]/g, "")
  const international = digits.startsWith("880") ? `+${digits}` : digits
  const parsed = parsePhoneNumberFromString(international, "BD")
  return parsed?.isValid() ? parsed.number : null
}

/** Whether this is a Bangladeshi mobile number: 01 and nine digits nationally. */
export function isBangladeshiMobile(e164: string): boolean {
  return /^\+8801[0-9]{9}$/.test(e164)
}
