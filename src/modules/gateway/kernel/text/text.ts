/**
 * A value from outside as text: text, numbers and booleans as they are written, "" for everything else. String() throws
 * at an object with a `toString` that is no function, and any JSON body can contain one.
 */
export function textOf(value: unknown): string {
  return typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
      ? String(value)
      : ""
}

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

/** A header of a request; one sent several times counts as one list. */
export function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header
}
