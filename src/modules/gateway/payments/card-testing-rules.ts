/**
 * Card testing: somebody tries many stolen or invented card numbers to see which ones work. What is counted is
 * different cards that fail; the limits are options (abuse-limits.ts), the reasons are in docs/decisions/0037.
 */
export const CARD_WINDOW_SECONDS = 600
/** How long payments are refused once a limit is reached. */
export const CARD_REFUSED_SECONDS = 900

const LONGEST_WAIT_SECONDS = 60

/** Whether a payment was declined. A line that went dead says nothing of the card. */
export function isDeclined({ status, error_code }: { status: string; error_code: string | null }): boolean {
  return status === "FAILED" && error_code !== "NETWORK_ERROR"
}

/** So many cards may fail before anything is noticed: two fifths of the limit, and never less than somebody mistypes. */
export function unnoticedCards(limit: number): number {
  return Math.min(limit, Math.max(3, Math.floor((limit * 2) / 5)))
}

/**
 * What becomes of the next payment after so many cards that failed: tried, tried if none was in the last seconds, or
 * refused. While the merchant is under attack nobody gets more cards than go unnoticed otherwise.
 */
export function judgeCards(failures: number, limit: number, underAttack: boolean): "try" | "refuse" | { pace: number } {
  const unnoticed = unnoticedCards(limit)
  if (limit === 0 || failures < unnoticed) {
    return "try"
  }
  if (failures >= limit || underAttack) {
    return "refuse"
  }
  return { pace: Math.min(LONGEST_WAIT_SECONDS, 2 ** (failures - unnoticed + 1)) }
}
