/**
 * Time is an argument. Production uses the real clock; in the sandbox each merchant's clock runs a whole number of
 * seconds ahead of it. Source: decisions, Sandbox (clock).
 */
export const ENVIRONMENTS = ["sandbox", "production"] as const
export type Environment = (typeof ENVIRONMENTS)[number]

/** The time of a merchant's clock, which is `offsetSeconds` whole seconds ahead of `real`. */
export function clockNow(real: Date, offsetSeconds: number): Date {
  return offsetSeconds === 0 ? real : new Date(real.getTime() + offsetSeconds * 1000)
}

export function addSeconds(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000)
}
