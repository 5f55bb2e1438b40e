/** An event as `/api/v2/events` lists it; refund events have `event` and `timestamp` (contract 6.2). */
export type ListedEvent = {
  event_id: string
  event_type?: string
  event?: string
  occurred_at?: string
  timestamp?: string
  data: Record<string, unknown>
}

/** Reads a page of events, newest first, from page 1 on. */
export type ReadPage = (page: number) => Promise<readonly ListedEvent[]>

export const PAGE_SIZE = 100
/** How many of the newest events are remembered: an event that appears further behind newer ones is missed. */
const REMEMBERED = 200

/**
 * The events that are new since the feed began, oldest first. The list is in the order of the transactions' begin, so an
 * event can appear behind newer ones: the feed remembers the newest ids, and reads down to the oldest of them instead of
 * to the last event that it has seen. The list has no cursor by time that would do, because the sandbox's clock moves.
 */
export class EventFeed {
  /** Newest first. */
  private known: string[] = []

  constructor(private readonly readPage: ReadPage) {}

  /** What exists now is not new. */
  async begin(): Promise<void> {
    this.known = (await this.readPage(1)).map(({ event_id }) => event_id)
  }

  /** A failed read leaves the feed as it is: the next one finds the same events. */
  async next(): Promise<ListedEvent[]> {
    const known = new Set(this.known)
    const floor = this.known.length < PAGE_SIZE ? undefined : this.known[this.known.length - 1]
    const listed = new Map<string, ListedEvent>()
    for (let page = 1; ; page++) {
      const events = await this.readPage(page)
      const end = events.findIndex(({ event_id }) => event_id === floor)
      const above = end === -1 ? events : events.slice(0, end)
      above.forEach((event) => listed.set(event.event_id, event))
      // A page without anything new ends it too: the oldest remembered event may have been deleted by now.
      const hasNews = above.some(({ event_id }) => !known.has(event_id))
      if (end !== -1 || !hasNews || events.length < PAGE_SIZE) {
        break
      }
    }
    const news = [...listed.values()].filter(({ event_id }) => !known.has(event_id))
    if (news.length > 0) {
      const ids = [...listed.keys()]
      this.known = [...ids, ...this.known.filter((id) => !listed.has(id))].slice(0, REMEMBERED)
    }
    return news.reverse()
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
