import { language } from "../text"

// en-IN and bn-BD both group as South Asia does: 1,23,456.
const twoDecimals = new Intl.NumberFormat(language === "bn" ? "bn-BD" : "en-IN", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})
const noDecimals = new Intl.NumberFormat(language === "bn" ? "bn-BD" : "en-IN")
const dayAndTime = new Intl.DateTimeFormat(language === "bn" ? "bn-BD" : "en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  hourCycle: "h23",
})

// Billing uses days of the UTC calendar, and so do the dates on invoices.
const dayOnly = new Intl.DateTimeFormat(language === "bn" ? "bn-BD" : "en-GB", { dateStyle: "long", timeZone: "UTC" })

/**
 * Formats an amount of taka: 123456 is ৳1,23,456.00. Medusa's amounts are in taka, not in poisha. For display only: a
 * shop never computes what is to be paid.
 */
export function taka(amount: number): string {
  const sign = amount < 0 ? "−" : ""
  return `${sign}৳${twoDecimals.format(Math.abs(amount))}`
}

export const whole = (count: number): string => noDecimals.format(count)

export const dateAndTime = (date: string | Date): string => dayAndTime.format(new Date(date))

/** The day on which something is billed: 21 December 2026. */
export const day = (date: string | Date): string => dayOnly.format(new Date(date))
