import type { Language } from "../../../i18n/languages"
import { localDigits } from "../../../i18n/formats"

const BANGLA_ZERO = 0x09e6

/** Bangla keyboards type Bangla numerals: form values are converted to ASCII digits first. */
export function asciiDigits(text: string): string {
  return text.replace(/[\u09e6-\u09ef]/g, (digit) => String(digit.charCodeAt(0) - BANGLA_ZERO))
}

/** Seconds as minutes and seconds, e.g. 1799 as "29:59". */
export function clockTime(seconds: number, language: Language): string {
  const minutes = Math.floor(seconds / 60)
  const rest = String(seconds % 60).padStart(2, "0")
  return localDigits(`${minutes}:${rest}`, language)
}

/** A card number in the groups printed on the card: 4-6-5 for fifteen digits, else fours. */
export function groupedCard(digits: string): string {
  return digits.length === 15
    ? digits.replace(/^(.{4})(.{6})(.{5})$/, "$1 $2 $3")
    : digits.replace(/(.{4})(?=.)/g, "$1 ")
}
