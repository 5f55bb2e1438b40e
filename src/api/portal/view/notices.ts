/** What a redirect may say that has just been done. */
export const NOTICES = ["paused", "resumed", "cancelled", "removed", "changed", "unchanged", "confirming"] as const
export type Notice = (typeof NOTICES)[number]

/** Nothing was done, or it is not done yet. */
export const CALM: readonly Notice[] = ["unchanged", "confirming"]
