import type { Language } from "../i18n/language"

const BANGLA_ZERO = 0x09e6

/** The digits of a text in the reader's numerals. */
export function localDigits(text: string, language: Language): string {
  if (language === "en") {
    return text
  }
  return text.replace(/[0-9]/g, (digit) => String.fromCharCode(BANGLA_ZERO + Number(digit)))
}

/** Bangla keyboards type Bangla numerals: what is read from a form is turned into ASCII digits first. */
export function asciiDigits(text: string): string {
  return text.replace(/[\u09e6-\u09ef]/g, (digit) => String(digit.charCodeAt(0) - BANGLA_ZERO))
}

/** South Asian grouping: the last three digits, then pairs (12,34,567). */
function group(integer: string): string {
  const tail = integer.slice(-3)
  const head = integer.slice(0, -3).replace(/\B(?=(?:[0-9]{2})+$)/g, ",")
  return head === "" ? tail : `${head},${tail}`
}

/** Poisha as taka, e.g. 12345600 as "৳1,23,456.00". Amounts are whole poisha. */
export function taka(minor: number | bigint, language: Language): string {
  const value = BigInt(minor)
  const absolute = (value < 0n ? -value : value).toString().padStart(3, "0")
  const sign = value < 0n ? "-" : ""
  return localDigits(`${sign}৳${group(absolute.slice(0, -2))}.${absolute.slice(-2)}`, language)
}

/** Seconds as minutes and seconds, e.g. 1799 as "29:59". */
export function clockTime(seconds: number, language: Language): string {
  const minutes = Math.floor(seconds / 60)
  const rest = String(seconds % 60).padStart(2, "0")
  return localDigits(`${minutes}:${rest}`, language)
}

/** A card number in the groups printed on the card: 4-6-5 on fifteen-digit cards, else fours. */
export function groupedCard(digits: string): string {
  return digits.length === 15
    ? digits.replace(/^(.{4})(.{6})(.{5})$/, "$1 $2 $3")
    : digits.replace(/(.{4})(?=.)/g, "$1 ")
}
