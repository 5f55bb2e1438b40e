/** Percentages as decimal text and as whole millionths (12.5 % is 125,000): never a float. */
const PERCENT_TEXT = /^[0-9]{1,3}(?:\.[0-9]{1,4})?$/
const PPM_OF_A_HUNDRED = 1_000_000

/** Parses a percentage from 0 to 100 with at most four decimals into millionths; null for anything else. */
export function parsePercent(value: unknown): number | null {
  const text = typeof value === "number" && Number.isFinite(value) ? String(value) : value
  if (typeof text !== "string" || !PERCENT_TEXT.test(text)) {
    return null
  }
  const [integer, fraction = ""] = text.split(".")
  const ppm = Number(integer) * 10_000 + Number(fraction.padEnd(4, "0"))
  return ppm <= PPM_OF_A_HUNDRED ? ppm : null
}

/** Formats with at least two decimals and more where needed: `12.50`, `9.125`. */
export function formatPercent(ppm: number): string {
  const [integer, fraction] = [Math.floor(ppm / 10_000), String(ppm % 10_000).padStart(4, "0")]
  return `${integer}.${fraction.replace(/0{1,2}$/, "")}`
}
