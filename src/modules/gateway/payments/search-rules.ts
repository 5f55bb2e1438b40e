import { asciiDigits, typedAmount } from "../../../i18n/typed"
import { parseAmount, type Minor } from "../kernel/money/money"
import { normalisePhone } from "../kernel/text/phone"

/** What a text in the search field of payments can mean; a member is null if the text cannot mean it. */
type PaymentSearch = {
  /** In small letters: the beginning of an order_id or of an e-mail address. */
  text: string
  /** In small letters, without the # of an order's number. */
  number: string
  /** The beginnings of words, in small letters; empty: no name. */
  words: readonly string[]
  /** The beginning of a number in E.164 form, or all of it. */
  phone: string | null
  last_four: string | null
  /** An acquirer's number of a payment, as it was typed and in capital and small letters. */
  reference: readonly [typed: string, upper: string, lower: string] | null
  amount: Minor | null
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu
const WORD_MIN_CHARS = 2
const LAST_FOUR = /^[\s•*xX.·-]*(\d{4})$/
/** Acquirers' numbers are of letters and digits; words of a name and beginnings of numbers are none. */
const REFERENCE = /^(?=.*\d)[0-9A-Za-z_.-]{6,100}$/
const PHONE_CHARS = /^\+?[\d ().-]+$/
/** A shorter beginning is shared by too many numbers, and amounts and order numbers look like it. */
const PHONE_MIN_DIGITS = 5
/** The largest integer of PostgreSQL, in which amounts are stored, in hundredths of a currency. */
const AMOUNT_MAX = 2n ** 31n - 1n

/**
 * Reads what somebody types to find a payment: digits of any script, phones with or without country code,
 * spaces, dashes and brackets, amounts with or without separators and decimals.
 */
export function readSearch(q: string): PaymentSearch {
  const text = asciiDigits(q.trim())
  const lower = text.toLowerCase()
  const words = lower.match(WORD)?.filter((word) => word.length >= WORD_MIN_CHARS) ?? []
  return {
    text: lower,
    number: lower.replace(/^#\s*/, ""),
    words: /\p{L}/u.test(lower) && !lower.includes("@") ? words : [],
    phone: phoneOf(text),
    last_four: LAST_FOUR.exec(text)?.[1] ?? null,
    reference: REFERENCE.test(text) ? [text, text.toUpperCase(), lower] : null,
    amount: amountOf(text),
  }
}

function phoneOf(text: string): string | null {
  if (!PHONE_CHARS.test(text)) {
    return null
  }
  const whole = normalisePhone(text)
  if (whole !== null) {
    return whole
  }
  const digits = text.replace(/\(0\)/, "").replace(/\D/g, "")
  if (digits.length < PHONE_MIN_DIGITS) {
    return null
  }
  const isInternational = text.startsWith("+") || digits.startsWith("880")
  return isInternational ? `+${digits}` : `+880${digits.replace(/^0/, "")}`
}

function amountOf(text: string): Minor | null {
  const minor = parseAmount(typedAmount(text))
  return minor === null || minor === 0n || minor > AMOUNT_MAX ? null : minor
}
