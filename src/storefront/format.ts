import { money, moneyOfText } from "../i18n/formats"
import type { Language } from "./languages"

/**
 * Formats an amount as Medusa's Store API has it: in whole units with decimals, 1234.5 and not 123450. Taka have their
 * sign and South Asian groups in both languages: ৳1,23,456.00, ৳১,২৩,৪৫৬.০০. For display only: a shop never computes
 * what is to be paid.
 */
export function formatMoney(amount: number | string, currency: string, language: Language): string {
  const code = currency.toUpperCase()
  return typeof amount === "string"
    ? moneyOfText(amount, code, language)
    : money(Math.round(amount * 100), code, language)
}
