/* What people type, as programs read it. */

const DIGIT = /\p{Nd}/u

/** Digits of every script as ASCII digits: Bangla, Arabic-Indic, full-width and the others (decisions: Digits). */
export function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(valueOf(digit.codePointAt(0) ?? 0)))
}

/** Unicode has the digits of a script in order, from its zero on, and may have those of the next one behind them. */
function valueOf(digit: number): number {
  let zero = digit
  while (DIGIT.test(String.fromCodePoint(zero - 1))) {
    zero -= 1
  }
  return (digit - zero) % 10
}

const CURRENCY_SIGN = /^(?:৳|bdt|tk\.?)\s*|\s*(?:৳|bdt|tk\.?|\/-)$/gi
/** Groups of three, and of lakh and crore: 1,100 and 1,10,000.50. A decimal comma is none: 10,50 stays as it is. */
const GROUPED = /^\d+(?:,\d{2,3})*,\d{3}(?:\.\d*)?$/

/**
 * An amount as a person writes it, as text for `parseAmount`: digits of any script, with or without the taka's sign and
 * separators (৳১,০০০.০০). What is no amount stays what it is.
 */
export function typedAmount(text: string): string {
  const bare = asciiDigits(text).trim().replace(CURRENCY_SIGN, "")
  return GROUPED.test(bare) ? bare.replaceAll(",", "") : bare
}

/**
 * A whole number as a person types it, or the text itself, which the API then refuses with the field's name; undefined:
 * nothing is typed. What is no number must not become JSON's null, which means "absent".
 */
export function typedNumber(text: string): number | string | undefined {
  const bare = asciiDigits(text).trim()
  return bare === "" ? undefined : /^-?[0-9]{1,9}$/.test(bare) ? Number(bare) : bare
}
