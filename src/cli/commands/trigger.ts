import { EVENT_TYPES, type EventType } from "../../modules/gateway/kernel/database/events"
import { apiOf, pause, type Api } from "../api"
import { requireUrl, textOf, URL_HELP, URL_OPTION, type Command, type Given } from "../command"
import type { Context } from "../context"
import { EXIT, Failure, failureOf, type ExitCode } from "../failure"
import type { ListedEvent } from "../listen/feed"
import { printable, printJson } from "../output"
import { SCENARIOS } from "../trigger-scenarios"
import { knownEvent } from "./listen"

const SEEN_WITHIN_SECONDS = 15
const LOOK_MS = 250
/** Refusals of a sample that are about its address. */
const OF_ONE_RECEIVER: readonly (string | number)[] = [400, 422]

type Endpoint = { endpoint_url: string; event_types: string[]; is_active: boolean }
type Sample = { delivered: boolean; status_code: number | null; error?: string }

export const trigger: Command = {
  name: "trigger",
  arguments: ["EVENT"],
  summary: "make an event occur in the sandbox, such as payment.succeeded",
  options: { ...URL_OPTION, to: { type: "string" } },
  help: [["--to URL", "the receiver of a sample; default: every active endpoint that takes the event"], URL_HELP],
  about: `Makes the event really occur in the sandbox: a payment is opened and paid, refunded, declined, and so
on. Events that the sandbox cannot make occur at once are sent as a sample, with invented ids, to
the registered endpoints or to --to URL; \`listen\` does not see samples.

These occur:
  ${wrapped(EVENT_TYPES.filter((type) => type in SCENARIOS))}.
These are samples:
  ${wrapped(EVENT_TYPES.filter((type) => !(type in SCENARIOS)))}.`,
  run: async (context, given) => {
    const event = knownEvent(given.positionals[0])
    const to = textOf(given, "to")
    const receiver = to === undefined ? undefined : requireUrl("--to", to)
    const api = apiOf(context, given, { sandbox: true })
    const scenario = SCENARIOS[event]
    if (scenario === undefined) {
      return sendSamples(context, given, api, event, receiver)
    }
    const subject = await scenario(api)
    const event_id = await seen(context, api, event, subject)
    if (given.values.json === true) {
      printJson(context, { event, kind: "occurred", event_id, subject })
    } else {
      context.out(`${event} has occurred: ${subject}, event ${event_id}\n`)
    }
    return EXIT.ok
  },
}

/** Three names to a line. */
function wrapped(names: readonly string[]): string {
  const lines = names.flatMap((_, index) => (index % 3 === 0 ? [names.slice(index, index + 3).join(", ")] : []))
  return lines.join(",\n  ")
}

/** The id of the event about the subject; an event is recorded together with its change. */
async function seen(context: Context, api: Api, event: EventType, subject: string): Promise<string> {
  for (const deadline = Date.now() + SEEN_WITHIN_SECONDS * 1_000; ; await pause(LOOK_MS, context.stop)) {
    const { data } = await api.get<ListedEvent[]>("/events", { event_type: event, per_page: 50 })
    const found = data.find((one) => Object.values(one.data).includes(subject))
    if (found !== undefined) {
      return found.event_id
    }
    if (Date.now() > deadline || context.stop.aborted) {
      throw new Failure("EVENT_NOT_SEEN", { event, seconds: SEEN_WITHIN_SECONDS })
    }
  }
}

type Sent = { url: string; delivered: boolean; status_code: number | null; reason?: string }

/** One receiver that does not take its sample keeps it from no other: all are tried, and shown, before it is an error. */
async function sendSamples(
  context: Context,
  given: Given,
  api: Api,
  event: EventType,
  to: URL | undefined
): Promise<ExitCode> {
  const receivers = to === undefined ? await endpointsFor(api, event) : [to.href]
  if (receivers.length === 0) {
    throw new Failure("ENDPOINT_NONE", { event })
  }
  const { sent, broken } = await sendToAll(context, api, event, receivers)
  const failed = sent.filter(({ delivered }) => !delivered)
  const reasons = failed.map(({ url, reason }) => printable(`${url}: ${reason}`)).join("\n")
  const undelivered = new Failure("SAMPLE_NOT_DELIVERED", { event, failed: failed.length, count: sent.length, reasons })
  const failure = broken ?? (failed.length === 0 ? null : undelivered)
  if (given.values.json === true) {
    const error = failure === null ? {} : { error: failure.described }
    printJson(context, { event, kind: "sample", receivers: sent, ...error })
    return failure?.exit ?? EXIT.ok
  }
  const taken = sent.filter(({ delivered }) => delivered)
  context.out(taken.map(({ url }) => `A sample of ${event}, with invented ids, was delivered to ${url}\n`).join(""))
  if (failure !== null) {
    throw failure
  }
  return EXIT.ok
}

/** `broken`: why the rest was not tried. */
async function sendToAll(
  context: Context,
  api: Api,
  event: EventType,
  receivers: readonly string[]
): Promise<{ sent: Sent[]; broken: Failure | null }> {
  const sent: Sent[] = []
  for (const url of receivers) {
    try {
      const { data } = await api.post<Sample>("/webhooks/test", { event, url })
      const { delivered, status_code, error } = data
      const reason = delivered ? {} : { reason: error ?? `it answered ${status_code}` }
      sent.push({ url, delivered, status_code, ...reason })
    } catch (error) {
      const failure = failureOf(error, context.stop)
      if (receivers.length === 1 || !OF_ONE_RECEIVER.includes(failure.params.status)) {
        return { sent, broken: failure }
      }
      sent.push({ url, delivered: false, status_code: null, reason: String(failure.params.message) })
    }
  }
  return { sent, broken: null }
}

async function endpointsFor(api: Api, event: EventType): Promise<string[]> {
  const { data } = await api.get<Endpoint[]>("/merchants/webhooks", { per_page: 100 })
  return data
    .filter(({ is_active, event_types }) => is_active && (event_types.includes("*") || event_types.includes(event)))
    .map(({ endpoint_url }) => endpoint_url)
}
