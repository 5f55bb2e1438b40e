/** A number in Bangla numerals. */
export const digits = (value: number | string): string =>
  String(value).replace(/\d/g, (digit) => String.fromCharCode(0x09e6 + Number(digit)))
