/** An event as `/api/v2/events` lists it; refund events have `event` and `timestamp` (contract 6.2). */
export type ListedEvent = {
  event_id: string
  event_type?: string
  event?: string
  occurred_at?: string
  timestamp?: string
  data: Record<string, unknown>
}

/** `total`: how many events the whole list had when the page was read, without those that came while it was read. */
export type EventPage = { events: readonly ListedEvent[]; total: number }

/** Reads a page of events, newest first, from page 1 on. */
export type ReadPage = (page: number) => Promise<EventPage>

export const PAGE_SIZE = 100
/** How many pages are remembered from before the command began: an event that appears further behind is not seen. */
const PAGES_AT_BEGIN = 10
/** How many of the newest events are remembered. */
const REMEMBERED = 2_000

/**
 * The events that are new since the feed began, oldest first. The list is in the order in which transactions began, so
 * an event can appear behind newer ones. The list's total shows whether the first page has everything that is new;
 * only when it does not, the feed reads on. The list has no cursor by time that would do, because the sandbox's clock
 * moves.
 */
export class EventFeed {
  /** Newest first. */
  private known: string[] = []
  /** What the total is, if the feed has seen everything. */
  private expected = 0
  /** How far the total was below that after the last read. */
  private shortfall = 0

  constructor(private readonly readPage: ReadPage) {}

  /** What exists now is not new. */
  async begin(): Promise<void> {
    const ids = new Set<string>()
    for (let page = 1; page <= PAGES_AT_BEGIN; page++) {
      const { events, total } = await this.readPage(page)
      events.forEach(({ event_id }) => ids.add(event_id))
      if (page === 1) {
        this.expected = total
      }
      if (events.length < PAGE_SIZE) {
        break
      }
    }
    this.known = [...ids]
  }

  /** A failed read leaves the feed as it is: the next one finds the same events. */
  async next(): Promise<ListedEvent[]> {
    const { listed, added, total } = await this.read()
    this.settle(total, added.length)
    if (added.length > 0) {
      this.known = [...listed, ...this.known.filter((id) => !listed.has(id))].slice(0, REMEMBERED)
    }
    return added.reverse()
  }

  /** Reads pages until everything new has been found, at most down to the oldest event that is remembered. */
  private async read(): Promise<{ listed: Set<string>; added: ListedEvent[]; total: number }> {
    const known = new Set(this.known)
    const floor = this.known.length < PAGE_SIZE ? undefined : this.known[this.known.length - 1]
    const listed = new Set<string>()
    const added: ListedEvent[] = []
    for (let page = 1, total = 0; ; page++) {
      const { events, total: counted } = await this.readPage(page)
      total = page === 1 ? counted : total
      const end = events.findIndex(({ event_id }) => event_id === floor)
      const above = (end === -1 ? events : events.slice(0, end)).filter(({ event_id }) => !listed.has(event_id))
      above.forEach(({ event_id }) => listed.add(event_id))
      const found = above.filter(({ event_id }) => !known.has(event_id))
      added.push(...found)
      const isComplete = found.length === 0 && total <= this.expected + added.length
      if (isComplete || end !== -1 || events.length < PAGE_SIZE) {
        return { listed, added, total }
      }
    }
  }

  /**
   * A total below the expected one means that an event came between the counting and the reading, or that events were
   * deleted. The next total shows which: it has caught up, or it is still below.
   */
  private settle(total: number, found: number): void {
    const expected = this.expected + found
    const shortfall = Math.max(0, expected - total)
    this.expected = Math.max(total, expected - Math.min(shortfall, this.shortfall))
    this.shortfall = shortfall
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
