import { addSeconds } from "./clock"

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** Seconds until an acquirer is asked again about an unknown outcome: 5 minutes, 1 hour, then daily. */
const INQUIRY_SECONDS = [5 * MINUTE, HOUR, DAY]

/** `asked` is how often it has been asked already (design: six rules, 2). */
export function nextInquiryAt(from: Date, asked: number): Date {
  return addSeconds(from, INQUIRY_SECONDS[Math.min(asked, INQUIRY_SECONDS.length - 1)])
}

/** Seconds until a paid cart without an order is tried again; after the last the money is given back. */
const COMPLETION_SECONDS = [30, 2 * MINUTE, 10 * MINUTE, HOUR]

/** Null once the attempts are used up. */
export function nextCompletionSeconds(attempts: number): number | null {
  return COMPLETION_SECONDS[attempts] ?? null
}
