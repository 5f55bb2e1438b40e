import { t } from "../text"

const BANGLA_ZERO = 0x09e6

/** Converts digits typed on a Bangla keyboard to the ones that the store keeps. */
export function latinDigits(text: string): string {
  return text.replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - BANGLA_ZERO))
}

/**
 * Parses a Bangladeshi mobile number in any spelling (+880 17..., 8801..., with spaces or dashes, Bangla digits) to
 * 01XXXXXXXXX, or returns what is wrong with it.
 */
export function parsePhone(text: string): { phone: string } | { problem: string } {
  const compact = latinDigits(text).replace(/[\s().-]/g, "")
  if (compact === "") {
    return { problem: t.address.phoneMissing }
  }
  const national = compact.replace(/^(\+|00)?880(?=1)/, "0").replace(/^(?=1[3-9]\d{8}$)/, "0")
  if (!/^\d+$/.test(national)) {
    return { problem: t.address.phoneDigits }
  }
  if (!/^01[3-9]/.test(national)) {
    return { problem: t.address.phonePrefix }
  }
  if (national.length !== 11) {
    return { problem: t.address.phoneLength(national.length) }
  }
  return { phone: national }
}
