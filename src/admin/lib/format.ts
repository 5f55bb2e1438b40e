import { useMemo } from "react"
import { useLocale } from "./text"

export type Formats = {
  /** Money from the API's decimal text. */
  money(amount: string, currency: string): string
  /** Date and time of an ISO 8601 text; nothing for null. */
  time(iso: string | null): string
  date(iso: string | null): string
  number(value: number): string
  /** A day of the calendar, `2026-11-21`, whatever the admin's time zone. */
  day(text: string): string
  month(text: string): string
  /** Percent as decimal text; a dash for null: there is nothing that it would be of. */
  percent(text: string | null): string
}

/** Money, moments and numbers as the admin's locale writes them. */
export function useFormats(): Formats {
  const locale = useLocale()
  return useMemo(() => {
    // Bangla's AM and PM would stand in Latin letters.
    const hours = locale === "bn-BD" ? { hourCycle: "h23" as const } : {}
    const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", ...hours })
    const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" })
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
      money: (amount, currency) =>
        new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol" }).format(
          Number(amount)
        ),
      time: (iso) => (iso === null ? "" : moment.format(new Date(iso))),
      date: (iso) => (iso === null ? "" : day.format(new Date(iso))),
      number: (value) => plain.format(value),
      day: (text) => calendarDay.format(new Date(`${text}T00:00:00Z`)),
      month: (text) => calendarMonth.format(new Date(`${text}T00:00:00Z`)),
      percent: (text) => (text === null ? "–" : share.format(Number(text) / 100)),
    }
  }, [locale])
}
