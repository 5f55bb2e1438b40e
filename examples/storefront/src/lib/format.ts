import { formatMoney } from "medusa-payment-gateway/storefront"
import * as formats from "../../../../src/i18n/formats"
import { language } from "../text"

// Amounts and dates have the form that the payment page, the e-mails and the invoices have.

/**
 * Formats an amount of taka: 123456 is ৳1,23,456.00. Medusa's amounts are in taka, not in poisha. For display only: a
 * shop never computes what is to be paid.
 */
export const taka = (amount: number): string => formatMoney(amount, "BDT", language)

export const whole = (count: number): string => formats.wholeNumber(count, language)

/** A moment by Bangladesh's clock: 21 Dec 2026, 14:05. */
export const dateAndTime = (date: string | Date): string =>
  formats.localDateTime(new Date(date), language, formats.HOME_TIME_ZONE)

export const brandName = formats.brandName

/** A day: 21 Dec 2026. On Bangladesh's calendar, or on that of the time zone (IANA) in which something is billed. */
export const day = (date: string | Date, timeZone = formats.HOME_TIME_ZONE): string =>
  formats.localDate(new Date(date), language, timeZone)
