import { partsOf } from "./days"
import type { Language } from "./languages"

/*
 * How amounts, numbers and dates are written for people: one form on every page, in the shop, the admin, e-mails and
 * documents, in both languages.
 */

const TAKA = "BDT"
const BANGLA_ZERO = 0x09e6
/** Bangladesh's: that of merchants that have chosen no other (IANA). */
export const HOME_TIME_ZONE = "Asia/Dhaka"

const MONTHS: Record<Language, readonly string[]> = {
  en: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
  bn: ["জানুয়ারি", "ফেব্রুয়ারি", "মার্চ", "এপ্রিল", "মে", "জুন", "জুলাই", "আগস্ট", "সেপ্টেম্বর", "অক্টোবর", "নভেম্বর", "ডিসেম্বর"],
}

/**
 * Replaces the digits of a finished text by the reader's numerals. Intl formats numbers and dates, but does not convert
 * the digits inside a text.
 */
export function localDigits(text: string, language: Language): string {
  if (language === "en") {
    return text
  }
  return text.replace(/[0-9]/g, (digit) => String.fromCharCode(BANGLA_ZERO + Number(digit)))
}

/** South Asian grouping: the last three digits, then pairs (12,34,567). */
function group(integer: string): string {
  const tail = integer.slice(-3)
  const head = integer.slice(0, -3).replace(/\B(?=(?:[0-9]{2})+$)/g, ",")
  return head === "" ? tail : `${head},${tail}`
}

/** A whole number of things: 12,34,567. */
export function wholeNumber(count: number, language: Language): string {
  return localDigits(`${count < 0 ? "-" : ""}${group(String(Math.abs(Math.trunc(count))))}`, language)
}

/** Poisha as taka, e.g. 12345600 as "৳1,23,456.00". Amounts are whole poisha. */
export function taka(minor: number | bigint, language: Language): string {
  const value = BigInt(minor)
  const absolute = (value < 0n ? -value : value).toString().padStart(3, "0")
  const sign = value < 0n ? "-" : ""
  return localDigits(`${sign}৳${group(absolute.slice(0, -2))}.${absolute.slice(-2)}`, language)
}

/**
 * Hundredths of a currency as people read them: taka as above, others with the symbol that English uses for them:
 * 123450 of USD as "$1,234.50", of CAD as "CA$1,234.50", of AED as "AED 1,234.50". Intl gives symbol and separators for
 * English only, where they are the same in every Node; Bangla has its own digits in the same places. The fraction never
 * passes through a float.
 */
export function money(minor: number | bigint, currency: string, language: Language): string {
  if (currency === TAKA) {
    return taka(minor, language)
  }
  const value = BigInt(minor)
  const absolute = value < 0n ? -value : value
  const format = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  const text = format
    .formatToParts(absolute / 100n)
    .map((part) => (part.type === "fraction" ? (absolute % 100n).toString().padStart(2, "0") : part.value))
    .join("")
  return localDigits(value < 0n ? `-${text}` : text, language)
}

/**
 * Decimal text, as the API has amounts, in the form of `money`: "1234.50" of BDT as "৳1,234.50". Decimals after the
 * second, which a verification has, are zeros and left out. What is no amount, such as a half-typed one, stays as it is.
 */
export function moneyOfText(text: string, currency: string, language: Language): string {
  const [, sign, integer, fraction = ""] = /^(-?)([0-9]{1,30})(?:\.([0-9]{0,2})0*)?$/.exec(text) ?? []
  if (integer === undefined) {
    return text
  }
  const minor = BigInt(`${integer}${fraction.padEnd(2, "0")}`)
  return money(sign === "-" ? -minor : minor, currency, language)
}

/** Acquirers name card schemes in capitals, and Stripe by codes of its own; people know them so. */
const BRANDS: ReadonlyMap<string, string> = new Map([
  ["visa", "Visa"],
  ["mastercard", "Mastercard"],
  ["amex", "American Express"],
  ["unionpay", "UnionPay"],
  ["discover", "Discover"],
  ["diners", "Diners Club"],
  ["jcb", "JCB"],
])

/** The name of a card scheme: "VISA" as "Visa". One that is not known stays as the acquirer writes it. */
export function brandName(brand: string): string {
  return BRANDS.get(brand.toLowerCase()) ?? brand
}

/** A moment's day on the calendar of a time zone (IANA): "31 Jan 2027". */
export function localDate(at: Date, language: Language, timeZone: string): string {
  const { day, month, year } = partsOf(at, timeZone)
  return localDigits(`${Number(day)} ${MONTHS[language][Number(month) - 1]} ${year}`, language)
}

/** A moment by the clock of a time zone (IANA): "31 Jan 2027, 14:05". */
export function localDateTime(at: Date, language: Language, timeZone: string): string {
  const { hour, minute } = partsOf(at, timeZone)
  return `${localDate(at, language, timeZone)}, ${localDigits(`${hour}:${minute}`, language)}`
}
