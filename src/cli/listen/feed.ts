/** An event as `/api/v2/events` lists it; refund events have `event` and `timestamp` (contract 6.2). */
export type ListedEvent = {
  event_id: string
  event_type?: string
  event?: string
  occurred_at?: string
  timestamp?: string
  data: Record<string, unknown>
}

/** Events after a cursor, oldest first; `has_more`: there are others after them. */
export type EventPage = { events: readonly ListedEvent[]; has_more: boolean }

export type ReadEvents = {
  /** The newest event that the list shows; undefined: there is none. */
  newest(): Promise<ListedEvent | undefined>
  /** The events after the one with this id, or from `START`; null: the gateway no longer has that event. */
  after(cursor: string): Promise<EventPage | null>
}

export const PAGE_SIZE = 100
const START = "start"

/**
 * The events that are new since the feed began, oldest first. The gateway keeps the order in which they are read:
 * nothing appears behind the last one.
 */
export class EventFeed {
  private cursor = START
  private found: ListedEvent[] = []

  constructor(private readonly read: ReadEvents) {}

  /** What exists now is not new. */
  async begin(): Promise<void> {
    this.cursor = (await this.read.newest())?.event_id ?? START
    // Gives the newest event its place in the order at once, before what comes now.
    this.found = await this.next()
  }

  /** A failed read leaves the feed as it is: the next one finds the same events. */
  async next(): Promise<ListedEvent[]> {
    const added = [...this.found]
    let cursor = this.cursor
    for (let has_more = true; has_more;) {
      // The sandbox's purge deletes what is old. What is left then is newer than what was read last.
      const page = (await this.read.after(cursor)) ?? (await this.read.after(START))
      added.push(...(page?.events ?? []))
      cursor = page?.events.at(-1)?.event_id ?? cursor
      has_more = page?.has_more ?? false
    }
    this.cursor = cursor
    this.found = []
    return added
  }
}

export function typeOf({ event_type, event }: ListedEvent): string {
  return event_type ?? event ?? "unknown"
}

/** The id of what the event is about. */
export function subjectOf({ data }: ListedEvent): string {
  const { refund_id, dispute_id, transaction_id, subscription_uuid, invoice_id, uuid } = data
  const id = refund_id ?? dispute_id ?? transaction_id ?? subscription_uuid ?? invoice_id ?? uuid ?? ""
  return typeof id === "string" || typeof id === "number" ? String(id) : ""
}
