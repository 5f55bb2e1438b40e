import { useMemo } from "react"
import { dayNumber, dayOfText, dayStart, dayText, knownZone } from "../../i18n/days"
import { localDate, localDigits, moneyOfText } from "../../i18n/formats"
import { useMerchantZone } from "./admin-api"
import { useLocale } from "./text"

export type Formats = {
  /** The time zone (IANA) by whose clocks times are shown, as in lists' filters and on documents: the merchant's. */
  zone: string
  /** The day of a moment there, as a field for days has it: `2026-11-21`. */
  dayOf(at: string | Date): string
  /** When a day begins there, and its last second: ISO 8601. */
  startOf(day: string): string
  endOf(day: string): string
  /** Formats money from the API's decimal text. */
  money(amount: string, currency: string): string
  /** Formats date and time of an ISO 8601 text; empty for null. */
  time(iso: string | null): string
  date(iso: string | null): string
  /** Formats a time that a file of a bank or an acquirer gives: those that give days alone are read as their midnight. */
  fileTime(iso: string): string
  number(value: number): string
  /** A finished text, such as a card's last digits, in the admin's digits; never what people copy (docs/decisions/16). */
  digits(text: string): string
  /** Formats an amount whose currency is not known. */
  decimal(value: number): string
  /** Formats a calendar day, `2026-11-21`, regardless of the admin's time zone. */
  day(text: string): string
  month(text: string): string
  /** Formats a percentage from decimal text; a dash for null (a share of zero). */
  percent(text: string | null): string
  /** Formats a rate in percent, `9.125%`, from decimal text with all of its decimals, of which the API has up to four. */
  rate(text: string): string
  /** Formats seconds in their two largest units: `69 days, 23 hours`; to the minute from an hour on; empty for none. */
  duration(seconds: number): string
}

const SECOND_MS = 1_000

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const

/** Formats for money, times and numbers in the admin's locale. Money has one form everywhere (src/i18n/formats.ts). */
export function useFormats(): Formats {
  const locale = useLocale()
  const zone = useMerchantZone()
  return useMemo(() => formatsOf(locale, zone), [locale, zone])
}

const BANGLA = "bn-BD"

/** Of a zone that the browser does not have times are those of UTC, and say so. */
export function formatsOf(locale: string, zone: string): Formats {
  const timeZone = knownZone(zone)
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", timeZone })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone })
  const calendarDay = new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  })
  const calendarMonth = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" })
  const plain = new Intl.NumberFormat(locale)
  const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const share = new Intl.NumberFormat(locale, {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })
  const precise = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 })
  const formats: Omit<Formats, "fileTime"> = {
    zone: timeZone,
    ...daysIn(timeZone),
    money: (amount, currency) => moneyText(amount, currency, locale),
    time: (iso) => (iso === null ? "" : moment.format(new Date(iso))),
    date: (iso) => (iso === null ? "" : day.format(new Date(iso))),
    number: (value) => plain.format(value),
    digits: (text) => localDigits(text, locale === BANGLA ? "bn" : "en"),
    decimal: (value) => decimal.format(value),
    day: (text) => calendarDay.format(new Date(`${text}T00:00:00Z`)),
    month: (text) => calendarMonth.format(new Date(`${text}T00:00:00Z`)),
    duration: (seconds) => durationText(seconds, locale),
    rate: (text) => `${precise.format(Number(text))}%`,
    percent: (text) => (text === null ? "–" : share.format(Number(text) / 100)),
  }
  const own = locale === BANGLA ? { ...formats, ...banglaDates(timeZone) } : formats
  const time = (iso: string | null) =>
    iso === null || timeZone === zone ? own.time(iso) : `${own.time(iso)} ${timeZone}`
  return { ...own, time, fileTime: (iso) => (isMidnight(iso, timeZone) ? own.date(iso) : time(iso)) }
}

/** Days of a time zone, as forms and queries have them. */
export function daysIn(zone: string): Pick<Formats, "dayOf" | "startOf" | "endOf"> {
  return {
    dayOf: (at) => dayText(dayNumber(new Date(at), zone)),
    startOf: (day) => momentOf(day, (number) => dayStart(number, zone)),
    endOf: (day) => momentOf(day, (number) => new Date(dayStart(number + 1, zone).getTime() - SECOND_MS)),
  }
}

/** What is no day goes as it is: the answer says what is wrong with it. */
function momentOf(day: string, at: (number: number) => Date): string {
  const number = dayOfText(day)
  return Number.isNaN(number) ? day : at(number).toISOString()
}

function isMidnight(iso: string, zone: string): boolean {
  const at = new Date(iso)
  return dayStart(dayNumber(at, zone), zone).getTime() === at.getTime()
}

/** In Bangla dates are written as on the pages and documents that customers read; AM and PM would be in Latin letters. */
function banglaDates(timeZone: string): Pick<Formats, "time" | "date" | "day"> {
  const clock = new Intl.DateTimeFormat(BANGLA, { timeStyle: "medium", hourCycle: "h23", timeZone })
  const date = (iso: string | null) => (iso === null ? "" : localDate(new Date(iso), "bn", timeZone))
  return {
    date,
    time: (iso) => (iso === null ? "" : `${date(iso)}, ${clock.format(new Date(iso))}`),
    day: (text) => localDate(new Date(`${text}T00:00:00Z`), "bn", "UTC"),
  }
}

/** Money from the API's decimal text in a locale's digits. */
export function moneyText(amount: string, currency: string, locale: string): string {
  return moneyOfText(amount, currency, locale === BANGLA ? "bn" : "en")
}

function durationText(seconds: number, locale: string): string {
  // A clock that was moved by two days may be a second less ahead: from an hour on, seconds are rounded away.
  let rest = seconds < 3_600 ? Math.floor(seconds) : Math.round(seconds / 60) * 60
  const parts: string[] = []
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length)
    rest -= count * length
    if (count > 0 && parts.length < 2) {
      parts.push(new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count))
    }
  }
  return parts.join(", ")
}
