import { useMemo } from "react"
import { moneyOfText } from "../../i18n/formats"
import { useLocale } from "./text"

export type Formats = {
  /** Formats money from the API's decimal text. */
  money(amount: string, currency: string): string
  /** Formats date and time of an ISO 8601 text; empty for null. */
  time(iso: string | null): string
  date(iso: string | null): string
  number(value: number): string
  /** Formats a calendar day, `2026-11-21`, regardless of the admin's time zone. */
  day(text: string): string
  month(text: string): string
  /** Formats a percentage from decimal text; a dash for null (a share of zero). */
  percent(text: string | null): string
}

/** Times are Bangladesh's, as in the lists' filters and on documents, wherever the admin's machine is. */
const timeZone = "Asia/Dhaka"

/** Formats for money, times and numbers in the admin's locale. Money has one form everywhere (src/i18n/formats.ts). */
export function useFormats(): Formats {
  const locale = useLocale()
  return useMemo(() => {
    // In Bangla, AM and PM would be in Latin letters.
    const hours = locale === "bn-BD" ? { hourCycle: "h23" as const } : {}
    const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", timeZone, ...hours })
    const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone })
    const calendarDay = new Intl.DateTimeFormat(locale, {
      day: "numeric",
      month: "short",
      year: "numeric",
      timeZone: "UTC",
    })
    const calendarMonth = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" })
    const plain = new Intl.NumberFormat(locale)
    const share = new Intl.NumberFormat(locale, {
      style: "percent",
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    })
    return {
      money: (amount, currency) => moneyOfText(amount, currency, locale === "bn-BD" ? "bn" : "en"),
      time: (iso) => (iso === null ? "" : moment.format(new Date(iso))),
      date: (iso) => (iso === null ? "" : day.format(new Date(iso))),
      number: (value) => plain.format(value),
      day: (text) => calendarDay.format(new Date(`${text}T00:00:00Z`)),
      month: (text) => calendarMonth.format(new Date(`${text}T00:00:00Z`)),
      percent: (text) => (text === null ? "–" : share.format(Number(text) / 100)),
    }
  }, [locale])
}
