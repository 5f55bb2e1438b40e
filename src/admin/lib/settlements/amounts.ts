import { decimalOf as decimalText, minorOf as minorAmount } from "../refunds/draft"

/** An amount of the API or of a form in hundredths, which may be below zero; null: it is none. */
export function minorOf(text: string): bigint | null {
  const written = text.trim()
  const isBelow = written.startsWith("-")
  const minor = minorAmount(isBelow ? written.slice(1) : written)
  return minor === null || !isBelow ? minor : -minor
}

export function decimalOf(minor: bigint): string {
  return minor < 0n ? `-${decimalText(-minor)}` : decimalText(minor)
}
