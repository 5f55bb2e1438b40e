import { localDigits } from "../../../../src/i18n/formats"

/** A number in Bangla numerals. */
export const digits = (value: number | string): string => localDigits(String(value), "bn")
