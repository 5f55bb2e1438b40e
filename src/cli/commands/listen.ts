import { EVENT_TYPES } from "../../modules/gateway/kernel/database/events"
import { newWebhookSecret } from "../../modules/gateway/webhooks/signature"
import { apiOf, pause, type Api } from "../api"
import { requireUrl, textOf, URL_HELP, URL_OPTION, type Command, type Given } from "../command"
import type { Context } from "../context"
import { EXIT, Failure, wrongUsage } from "../failure"
import {
  type Delivery,
  EventFeed,
  type ListedEvent,
  PAGE_SIZE,
  type ReadEvents,
  deliver,
  isWebhookSecret,
  subjectOf,
  typeOf,
} from "../listen/feed"
import { paint, printable, printJsonLine } from "../output"

const POLL_MS = 1_000
/** A gateway that does not answer is asked less and less often. */
const LONGEST_POLL_MS = 10_000

type Target = { receiver: URL | null; secret: string; types: ReadonlySet<string> | null }

export const listen: Command = {
  name: "listen",
  printsLines: true,
  summary: "send the sandbox's events to a receiver on this machine",
  options: { ...URL_OPTION, "forward-to": { type: "string" }, events: { type: "string" } },
  help: [
    ["--forward-to URL", "the receiver; without it, events are only shown"],
    ["--events A,B", "only these events, such as payment.succeeded,refund.completed"],
    URL_HELP,
  ],
  about: `Asks the gateway every second for events that are new since the command began, and posts each
to the receiver, signed as the gateway signs webhooks. Nothing has to reach this machine from
outside. The receiver checks the signature with the secret that the command prints at its
beginning, or with yours when WEBHOOK_SECRET is set. A failed delivery is shown and not repeated:
\`events resend\` sends one again. Ctrl-C ends the command.`,
  run: async (context, given) => {
    const target = targetOf(context, given)
    const api = apiOf(context, given, { sandbox: true })
    const feed = new EventFeed(readEvents(api))
    // A wrong address or key ends the command; later failures do not.
    await feed.begin()
    announce(context, given, api, target)
    const counts = await follow(context, given, feed, target)
    if (given.values.json !== true) {
      context.err(`\n${counts.events} events, ${counts.delivered} delivered, ${counts.failed} not delivered.\n`)
    }
    return EXIT.ok
  },
}

function readEvents(api: Api): ReadEvents {
  return {
    newest: async () => (await api.get<ListedEvent[]>("/events", { per_page: 1 })).data[0],
    after: async (cursor) => {
      try {
        const { data, meta } = await api.get<ListedEvent[]>("/events", { after: cursor, per_page: PAGE_SIZE })
        return { events: data, has_more: meta.has_more === true }
      } catch (error) {
        if (error instanceof Failure && error.params.api_code === "NOT_FOUND") {
          return null
        }
        throw error
      }
    },
  }
}

function targetOf(context: Context, given: Given): Target {
  const forward = textOf(given, "forward-to")
  const receiver = forward === undefined ? null : requireUrl("--forward-to", forward)
  const own = context.env.WEBHOOK_SECRET ?? ""
  if (own !== "" && !isWebhookSecret(own)) {
    throw new Failure("WEBHOOK_SECRET_WRONG")
  }
  const events = textOf(given, "events")
  return {
    receiver,
    secret: own === "" ? newWebhookSecret() : own,
    types: events === undefined ? null : new Set(events.split(",").map((name) => knownEvent(name.trim()))),
  }
}

/** Throws wrong usage, with all names, for a name that no event has. */
export function knownEvent(event: string): (typeof EVENT_TYPES)[number] {
  const known = EVENT_TYPES.find((type) => type === event)
  if (known === undefined) {
    throw wrongUsage("EVENT_UNKNOWN", { event, events: EVENT_TYPES.join(", ") })
  }
  return known
}

function announce(context: Context, { values }: Given, api: Api, { receiver, secret }: Target): void {
  const isOwn = context.env.WEBHOOK_SECRET === secret
  if (values.json === true) {
    const shown = isOwn || receiver === null ? {} : { secret }
    printJsonLine(context, { type: "ready", url: api.url, forward_to: receiver?.href ?? null, ...shown })
    return
  }
  context.err(
    `Events of the sandbox at ${api.url}${receiver === null ? "" : ` go to ${receiver.href}`}. Ctrl-C ends.\n`
  )
  if (receiver !== null) {
    context.err(
      isOwn
        ? "They are signed with the secret in WEBHOOK_SECRET.\n\n"
        : `The receiver's signing secret for this run: ${paint(context, "bold", secret)}\n\n`
    )
  }
}

type Counts = { events: number; delivered: number; failed: number }

async function follow(context: Context, given: Given, feed: EventFeed, target: Target): Promise<Counts> {
  const counts = { events: 0, delivered: 0, failed: 0 }
  let failures = 0
  while (!context.stop.aborted) {
    try {
      const added = await feed.next()
      failures = 0
      for (const event of added.filter((one) => target.types?.has(typeOf(one)) ?? true)) {
        await pass(context, given, event, target, counts)
      }
    } catch (error) {
      failures += 1
      reportTrouble(context, given, error as Error)
    }
    await pause(Math.min(POLL_MS * 2 ** failures, LONGEST_POLL_MS), context.stop)
  }
  return counts
}

async function pass(context: Context, given: Given, event: ListedEvent, target: Target, counts: Counts): Promise<void> {
  if (context.stop.aborted) {
    return
  }
  const { receiver, secret } = target
  const delivery = receiver === null ? null : await deliver(receiver, secret, event, context.stop)
  counts.events += 1
  if (delivery !== null) {
    counts[delivery.delivered ? "delivered" : "failed"] += 1
  }
  if (given.values.json === true) {
    printJsonLine(context, { type: "event", event, delivery })
  } else {
    context.out(lineOf(context, event, delivery))
  }
}

function lineOf(context: Context, event: ListedEvent, delivery: Delivery | null): string {
  const at = (event.occurred_at ?? event.timestamp ?? "").replace(/\.[0-9]+Z$/, "Z")
  const what = `${at}  ${typeOf(event).padEnd(30)}  ${printable(subjectOf(event))}  ${event.event_id}`
  if (delivery === null) {
    return `${what}\n`
  }
  const { delivered, status, duration_ms, answer } = delivery
  const result = delivered ? `${status}` : `${status ?? "no answer"}${answer === "" ? "" : `: ${answer}`}`
  return `${what}\n  ${paint(context, delivered ? "green" : "red", result)} after ${duration_ms} ms\n`
}

/** One line for a gateway that does not answer: the command goes on, and finds what it has missed. */
function reportTrouble(context: Context, { values }: Given, error: Error): void {
  if (context.stop.aborted) {
    return
  }
  const code = error instanceof Failure ? error.code : "UNEXPECTED"
  if (values.json === true) {
    printJsonLine(context, { type: "trouble", code, message: error.message })
  } else {
    context.err(`${paint(context, "yellow", "retrying")} ${error.message}\n`)
  }
}
