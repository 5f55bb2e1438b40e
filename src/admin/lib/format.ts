import { useMemo } from "react"
import { useLocale } from "./text"

export type Formats = {
  /** Money from the API's decimal text. */
  money(amount: string, currency: string): string
  /** Date and time of an ISO 8601 text; nothing for null. */
  time(iso: string | null): string
  date(iso: string | null): string
  number(value: number): string
}

/** Money, moments and numbers as the admin's locale writes them. */
export function useFormats(): Formats {
  const locale = useLocale()
  return useMemo(() => {
    const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" })
    const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" })
    const plain = new Intl.NumberFormat(locale)
    return {
      money: (amount, currency) =>
        new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol" }).format(Number(amount)),
      time: (iso) => (iso === null ? "" : moment.format(new Date(iso))),
      date: (iso) => (iso === null ? "" : day.format(new Date(iso))),
      number: (value) => plain.format(value),
    }
  }, [locale])
}
