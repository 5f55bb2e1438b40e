import type { Message } from "../../../i18n/message"

/** What happened to a row, and when by the clock that the row goes by: one entry of a `history` column. */
export type HistoryEntry = Message & { at: string }

/** One entry, as JSON to be appended to a `history` column. */
export function historyEntry(message: Message, at: Date = new Date()): string {
  return JSON.stringify([{ ...message, at }])
}
