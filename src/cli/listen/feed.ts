import { signatureHeaders } from "../../modules/gateway/webhooks/signature"
import { reasonOf } from "../api"
import { printable } from "../output"

/** As the gateway's own dispatcher: what is not acknowledged with 200 in this time has failed (decisions: Webhooks). */
const TIMEOUT_MS = 30_000
const SHOWN_CHARS = 200

/** What became of a delivery. `status` is null when nothing answered; `answer` is the beginning of the receiver's text. */
export type Delivery = { delivered: boolean; status: number | null; duration_ms: number; answer: string }

/** Sends one event to a receiver, signed as the gateway signs webhooks. Never throws. */
export async function deliver(
  url: URL,
  secret: string,
  event: { event_id: string },
  stop: AbortSignal,
  now: () => Date = () => new Date()
): Promise<Delivery> {
  const body = JSON.stringify(event)
  const begun = now().getTime()
  const took = () => now().getTime() - begun
  const timestamp = Math.floor(begun / 1_000)
  const signatures = signatureHeaders({ secrets: [secret], format: "hex", id: event.event_id, timestamp, body })
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...signatures },
      body,
      redirect: "manual",
      signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const text = printable((await response.text()).slice(0, SHOWN_CHARS))
    return { delivered: response.status === 200, status: response.status, duration_ms: took(), answer: text }
  } catch (error) {
    return { delivered: false, status: null, duration_ms: took(), answer: reasonOf(error) }
  }
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

/** Whether a text can be a signing secret: with any other one, `verifyWebhook` of the receiver refuses everything. */
export function isWebhookSecret(text: string): boolean {
  return SECRET.test(text)
}

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
