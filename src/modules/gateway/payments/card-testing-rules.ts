/**
 * Card testing: somebody tries many stolen or invented card numbers to see which ones work. The counters count
 * different cards that fail. The limits are options (abuse-limits.ts); docs/decisions/17 gives the reasons.
 */
export const CARD_WINDOW_SECONDS = 600
/** How long payments are refused after a limit is reached. */
export const CARD_REFUSED_SECONDS = 900

const LONGEST_WAIT_SECONDS = 60

/** Codes that say nothing about the card: the network failed, or the shopper went away. */
const NOT_THE_CARD = ["NETWORK_ERROR", "CANCELLED", "EXPIRED"]

/** Whether the code of a declined attempt counts as a card that failed; null: it was not declined. */
export function isCardDecline(code: string | null): boolean {
  return code !== null && !NOT_THE_CARD.includes(code)
}

/** What an acquirer says of a card or an account that was tried; other codes may be its word for a page that is closed. */
const DECLINES = ["CARD_DECLINED", "INSUFFICIENT_FUNDS"]

/**
 * The code of an attempt that its acquirer has closed for us, and answered with `code`. A decline on the acquirer's page
 * stays one, also when its shopper leaves afterwards: it costs an attempt, and counts.
 */
export function closedAs(why: "leave" | "fail" | "expire" | "lost", code: string): string {
  const closed = { leave: "CANCELLED", fail: "CARD_DECLINED", expire: "EXPIRED", lost: "NETWORK_ERROR" } as const
  return why === "leave" && DECLINES.includes(code) ? code : closed[why]
}

/**
 * How many cards may fail without consequence: two fifths of the limit, and at least as many as an honest shopper
 * mistypes.
 */
export function unnoticedCards(limit: number): number {
  return Math.min(limit, Math.max(3, Math.floor((limit * 2) / 5)))
}

/**
 * Decides about the next payment after `failures` failed cards: allowed, allowed with a pause since the last one, or
 * refused. While the merchant is under attack, nobody gets more cards than `unnoticedCards` allows.
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
