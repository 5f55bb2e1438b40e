import { IANAZone } from "luxon"
import { asciiDigits } from "../../../../i18n/typed"
import { messageOf, type Message } from "../../../../i18n/message"
import { CURRENCIES, HOME_CURRENCY } from "./currencies"
import { parseAmount, type Minor } from "./money"

/*
 * Amounts and dates as banks, spreadsheets and people write them, in files that others have made. Refusals are messages
 * that name the text.
 */

/** `currency`: the one that is written with the amount, if any. */
export type WrittenAmount = { minor: Minor; currency: string | null }

export type DecimalMark = "." | ","

const CURRENCY_WORDS: ReadonlyMap<string, string> = new Map([
  ...["৳", "tk", "tk.", "taka", "টাকা", "/-", "/="].map((word): [string, string] => [word, HOME_CURRENCY]),
  ["$", "USD"],
  ["us$", "USD"],
  ["€", "EUR"],
  ["£", "GBP"],
  ["₹", "INR"],
  ...CURRENCIES.map((code): [string, string] => [code.toLowerCase(), code]),
])
const CURRENCY = [...CURRENCY_WORDS.keys()]
  .sort((left, right) => right.length - left.length)
  .map((word) => word.replace(/[.$/]/g, "\\$&"))
  .join("|")

const MINUS = /[\u2010-\u2015\u2212\ufe63\uff0d]/g
/** Spaces of all widths, and the apostrophes that some locales group by. */
const GROUP_SPACE = /(?<=[0-9])[\s'\u2019](?=[0-9]{3}(?![0-9]))/g
/** What says a sign or a currency before and after the figures; `(…)`, `-…`, `…-` and `… DR` are negative. */
const AROUND = new RegExp(
  `^(\\()?([-+])?\\s*(${CURRENCY})?\\s*([-+])?\\s*([0-9.,]+)\\s*(-)?\\s*(${CURRENCY})?\\s*(cr|dr)?\\.?\\s*(\\))?$`,
  "i"
)
const NO_AMOUNT = /^(-+|n\/?a|nil)?$/i
const SCIENTIFIC = /^[-+]?[0-9]+([.,][0-9]+)?e[-+]?[0-9]+$/i
/** As a spreadsheet shortens a long number: 1.23457E+15. Ids of letters and digits have no plus. */
const SHORTENED = /^[0-9]([.,][0-9]+)?E\+[0-9]{2,}$/i
/** Groups of three, and of lakh and crore: 1,234 and 12,34,567. */
const GROUPED = /^[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}$/
const DECIMALS_MAX = 2
/** No amount or date is longer; of a long text with many spaces the patterns would take hours. */
const TEXT_MAX_CHARS = 80

/** Whether a number was shortened by a spreadsheet, which has lost its last digits. */
export function isShortened(text: string): boolean {
  return SHORTENED.test(asciiDigits(text).trim())
}

/**
 * Reads an amount in any of these ways: 1234.5, 1,23,456.00, ১,২৩৪.৫০, (500.00), 500-, ৳ 500, BDT 500.00, 500.00 DR; with a
 * decimal comma 1.234,50. Null: none is written (an empty cell, a dash, N/A). Refused: more than two decimals that are not
 * zeros, scientific notation, and whatever could be read in two ways (1,5 or 12,34 with a decimal point).
 */
export function readWrittenAmount(written: string, decimal: DecimalMark): WrittenAmount | null | Message {
  const text = asciiDigits(written).replace(MINUS, "-").trim()
  if (NO_AMOUNT.test(text)) {
    return null
  }
  const wrong = messageOf("file.amount", { value: shown(written), example: decimal === "." ? "1234.50" : "1234,50" })
  if (SCIENTIFIC.test(text)) {
    return messageOf("file.scientific", { value: shown(written) })
  }
  const parts = text.length > TEXT_MAX_CHARS ? null : AROUND.exec(text.replace(GROUP_SPACE, ""))
  if (parts === null) {
    return wrong
  }
  const [, open, sign, before, inner, figures, trailing, after, side, close] = parts
  const minuses = [open !== undefined, sign === "-", inner === "-", trailing === "-", side?.toLowerCase() === "dr"]
  const isNegative = minuses.filter(Boolean).length
  const signs = [open, sign, inner, trailing, side].filter((one) => one !== undefined).length
  const [whole, fraction] = split(figures, decimal)
  if (whole === null || signs > 1 || (open === undefined) !== (close === undefined)) {
    return wrong
  }
  if (/[1-9]/.test(fraction.slice(DECIMALS_MAX))) {
    return messageOf("file.amount_decimals", { value: shown(written) })
  }
  const minor = parseAmount(`${whole}.${fraction.padEnd(1, "0").slice(0, DECIMALS_MAX)}`)
  if (minor === null) {
    return messageOf("file.amount_max", { value: shown(written) })
  }
  const currencies = [before, after].flatMap((word) => CURRENCY_WORDS.get(word?.toLowerCase() ?? "") ?? [])
  if (new Set(currencies).size > 1) {
    return wrong
  }
  return { minor: isNegative > 0 ? -minor : minor, currency: currencies[0] ?? null }
}

/** The figures before and after the decimal mark, or null where they are no amount for sure. */
function split(figures: string, decimal: DecimalMark): [whole: string | null, fraction: string] {
  const [integer, fraction = "", ...more] = figures.split(decimal)
  const grouped = decimal === "." ? integer : integer.replaceAll(".", ",")
  const isPlain = /^[0-9]+$/.test(grouped)
  const isWhole = isPlain || GROUPED.test(grouped) || (grouped === "" && fraction !== "")
  const isWrong = more.length > 0 || !isWhole || !/^[0-9]*$/.test(fraction)
  return [isWrong ? null : grouped.replaceAll(",", "") || "0", fraction]
}

/** The code of a currency as files name it (BDT, Tk, ৳); null: it is none that can be paid in. */
export function readCurrency(written: string): string | null {
  return CURRENCY_WORDS.get(written.trim().toLowerCase()) ?? null
}

/** What of a cell is repeated in a sentence. */
export function shown(text: string): string {
  const { length } = text
  return length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS - 1).replace(/[\ud800-\udbff]$/, "")}…`
}
const SHOWN_CHARS = 60

/** How dates are written. What separates the parts, and whether the month is a number or a name, is free. */
export const DATE_ORDERS = {
  "YYYY-MM-DD": "ymd",
  "DD/MM/YYYY": "dmy",
  "MM/DD/YYYY": "mdy",
  "DD-MMM-YYYY": "dmy",
  "MMM DD, YYYY": "mdy",
  YYYYMMDD: "ymd",
} as const satisfies Record<string, "ymd" | "dmy" | "mdy">
export type DateFormat = keyof typeof DATE_ORDERS

const MONTHS = [
  ["january", "জানুয়ারি", "জানুয়ারী"],
  ["february", "ফেব্রুয়ারি", "ফেব্রুয়ারী"],
  ["march", "মার্চ"],
  ["april", "এপ্রিল"],
  ["may", "মে"],
  ["june", "জুন"],
  ["july", "জুলাই"],
  ["august", "আগস্ট", "আগষ্ট"],
  ["september", "সেপ্টেম্বর"],
  ["october", "অক্টোবর"],
  ["november", "নভেম্বর"],
  ["december", "ডিসেম্বর"],
].map((names) => names.map((name) => name.normalize("NFC")))

const PART = "[0-9]{1,4}|[\\p{L}\\p{M}]{2,}"
const DATE_TEXT = new RegExp(`^(${PART})[-/. ,]{1,2}(${PART})[-/. ,]{1,2}(${PART})(?![0-9])`, "u")
const COMPACT_TEXT = /^([0-9]{4})([0-9]{2})([0-9]{2})(?:([0-9]{2})([0-9]{2})([0-9]{2}))?(?![0-9])/
const TIME_TEXT =
  /^(?:T|[\s,]+)?([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,:][0-9]{1,9})?)?\s*([ap])?(?:\.?m\.?)?\s*(?:GMT|UTC|Z)?\s*([-+][0-9]{2}:?[0-9]{2})?$/i
const UTC_TEXT = /GMT|UTC|Z$/i

/** `offset`: minutes before UTC; null: of the zone that the reader assumes. */
type Clock = { hour: number; minute: number; second: number; offset: number | null }

/**
 * A date in the given format, with a time of day or without, as a moment; digits may be Bangla, months named in English or
 * Bangla, years have two digits or four, of this century. A date that begins with its year is ISO, whatever the format.
 * Times without an offset are of `zone`. `time`: the time of day where it is written apart. Refused: a date that does not
 * exist.
 */
export function readWrittenDate(written: string, format: DateFormat, zone: string, time = ""): Date | Message {
  const text = asciiDigits(written).normalize("NFC").trim()
  const wrong = messageOf("file.date", { value: shown(written), format })
  if (text.length > TEXT_MAX_CHARS || time.length > TEXT_MAX_CHARS) {
    return wrong
  }
  const compact = format === "YYYYMMDD" ? COMPACT_TEXT.exec(text) : null
  const parts = DATE_TEXT.exec(text)
  if (compact === null && parts === null) {
    return wrong
  }
  const [, first, second, third] = compact ?? parts ?? []
  const order = /^[0-9]{4}$/.test(first) ? "ymd" : DATE_ORDERS[format]
  const part = (name: string) => [first, second, third][order.indexOf(name)]
  const figures = (compact ?? []).slice(4).filter(Boolean).join(":")
  const rest = `${figures}${text.slice((compact ?? parts)?.[0].length)}`
  const clock = readClock(rest === "" ? asciiDigits(time).trim() : rest)
  const day = readDay(part("y"), part("m"), part("d"))
  if (day === null || (clock === null && rest !== "")) {
    return wrong
  }
  return clock === null ? messageOf("file.time", { value: shown(time), example: "14:05" }) : momentOf(day, clock, zone)
}

/** Midnight of a day by UTC, or null when there is no such day. */
function readDay(year: string, month: string, day: string): number | null {
  const isYear = /^(?:20)?[0-9]{2}$/.test(year)
  const index = /^[0-9]{1,2}$/.test(month) ? Number(month) - 1 : monthNamed(month)
  const date = new Date(Date.UTC(2_000 + Number(year.slice(-2)), index, Number(day)))
  const exists = /^[0-9]{1,2}$/.test(day) && date.getUTCMonth() === index && date.getUTCDate() === Number(day)
  return isYear && exists ? date.getTime() : null
}

/** By its name or the beginning of it, from 0; -1: there is no such month. */
function monthNamed(text: string): number {
  const name = text.toLowerCase()
  return MONTHS.findIndex((names) =>
    names.some((known) => known === name || (/^[a-z]{3,4}$/.test(name) && known.startsWith(name)))
  )
}

function readClock(text: string): Clock | null {
  if (text === "") {
    return { hour: 0, minute: 0, second: 0, offset: null }
  }
  const parts = TIME_TEXT.exec(text)
  if (parts === null) {
    return null
  }
  const [, hours, minutes, seconds = "0", half, shift] = parts
  const [given, minute, second] = [hours, minutes, seconds].map(Number)
  const isHalf = half !== undefined
  const hour = isHalf ? (given % 12) + (half.toLowerCase() === "p" ? 12 : 0) : given
  if (hour > 23 || minute > 59 || second > 59 || (isHalf && (given < 1 || given > 12))) {
    return null
  }
  const [sign, ...figures] = (shift ?? "").replace(":", "")
  const ahead = shift === undefined ? 0 : Number(figures.slice(0, 2).join("")) * 60 + Number(figures.slice(2).join(""))
  const isKnown = shift !== undefined || UTC_TEXT.test(text)
  return { hour, minute, second, offset: isKnown ? (sign === "-" ? -ahead : ahead) : null }
}

function momentOf(day: number, { hour, minute, second, offset }: Clock, zone: string): Date {
  const there = day + ((hour * 60 + minute) * 60 + second) * 1_000
  if (offset !== null) {
    return new Date(there - offset * MINUTE_MS)
  }
  // The second look is for the hours around a change of the clock.
  const guess = there - offsetOf(zone, there) * MINUTE_MS
  return new Date(there - offsetOf(zone, guess) * MINUTE_MS)
}
const MINUTE_MS = 60_000

/** Clocks change on a quarter of an hour, and a file's lines are of few days: asking each time took half of the reading. */
const offsets = new Map<string, number>()
const OFFSETS_MAX = 10_000

function offsetOf(zone: string, at: number): number {
  const key = `${Math.floor(at / (15 * MINUTE_MS))} ${zone}`
  let offset = offsets.get(key)
  if (offset === undefined) {
    offset = IANAZone.create(zone).offset(at)
    if (offsets.size >= OFFSETS_MAX) {
      offsets.clear()
    }
    offsets.set(key, offset)
  }
  return offset
}
