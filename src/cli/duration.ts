import { wrongUsage } from "./failure"

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const
const PARTS = /^(?:[0-9]{1,9}[smhdw])+$/

/** Seconds of a length of time such as `3d` or `1d12h`. Throws wrong usage for anything else, and for zero. */
export function parseDuration(text: string): number {
  const parts = PARTS.test(text) ? [...text.matchAll(/([0-9]+)([smhdw])/g)] : []
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS], 0)
  if (seconds === 0) {
    throw wrongUsage("DURATION_WRONG", { text })
  }
  return seconds
}
