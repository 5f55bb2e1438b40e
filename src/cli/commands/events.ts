import { apiOf, type Api } from "../api"
import { requireUrl, textOf, URL_HELP, URL_OPTION, type Command, type Given } from "../command"
import type { Context } from "../context"
import { EXIT, Failure, failureOf, type ExitCode } from "../failure"
import { type ListedEvent, deliver, isWebhookSecret, typeOf } from "../listen/feed"
import { printable, printJson, table } from "../output"

type DeliveryRow = { id: number; url: string; status: string }
type Refused = { id: number; url: string; reason: string }

const OF_ONE_DELIVERY: readonly (string | number)[] = [404, 409]

/**
 * Whether the gateway's refusal is about one delivery: it is gone with its endpoint, or the endpoint is off. A proxy's
 * own 404 is about all of them.
 */
function isOfOneDelivery(error: unknown): error is Failure {
  return error instanceof Failure && error.code === "API_REFUSED" && OF_ONE_DELIVERY.includes(error.params.status)
}

export const resend: Command = {
  name: "events resend",
  arguments: ["EVENT_ID"],
  summary: "send an event again, to all that received it or to a receiver on this machine",
  options: { ...URL_OPTION, "forward-to": { type: "string" } },
  help: [["--forward-to URL", "send it to this receiver only, signed with WEBHOOK_SECRET"], URL_HELP],
  about: `Asks the gateway to repeat every delivery of the event: to the endpoints, and to the order's
IPN address. With --forward-to the command itself sends the event to one receiver.`,
  run: async (context, given) => {
    const forward = textOf(given, "forward-to")
    const receiver = forward === undefined ? null : requireUrl("--forward-to", forward)
    const api = apiOf(context, given, { sandbox: receiver !== null })
    const id = given.positionals[0]
    const { data: event } = await api.get<ListedEvent>(`/events/${encodeURIComponent(id)}`)
    return receiver === null ? redeliver(context, given, api, event) : forwardTo(context, given, receiver, event)
  },
}

async function redeliver(context: Context, { values }: Given, api: Api, event: ListedEvent): Promise<ExitCode> {
  const { event_id } = event
  const { data: deliveries } = await api.get<DeliveryRow[]>("/webhooks/deliveries", { event_id, per_page: 100 })
  if (deliveries.length === 0) {
    throw new Failure("DELIVERY_NONE", { event: event_id })
  }
  const { sent, refused, broken } = await repeat(api, deliveries, context.stop)
  const reasons = refused.map(({ id, url, reason }) => printable(`${id} to ${url}: ${reason}`)).join("\n")
  const counts = { refused: refused.length, count: deliveries.length }
  const refusal = new Failure("REDELIVERY_REFUSED", { ...counts, event: event_id, reasons })
  const failure = broken ?? (refused.length === 0 ? null : refusal)
  if (values.json === true) {
    const error = failure === null ? {} : { error: failure.described }
    printJson(context, { event_id, event_type: typeOf(event), deliveries: sent, refused, ...error })
    return failure?.exit ?? EXIT.ok
  }
  const rows = sent.map(({ id, url, status }) => [String(id), status, url])
  context.out(sent.length === 0 ? "" : table(["DELIVERY", "STATUS", "URL"], rows))
  context.err(broken === null || reasons === "" ? "" : `${reasons}\n`)
  if (failure !== null) {
    throw failure
  }
  return EXIT.ok
}

/**
 * One that is refused, because its endpoint was deleted or is off, keeps the event from no other receiver. `broken`: why
 * the rest was not tried; what was sent before is sent.
 */
async function repeat(
  api: Api,
  deliveries: readonly DeliveryRow[],
  stop: AbortSignal
): Promise<{ sent: DeliveryRow[]; refused: Refused[]; broken: Failure | null }> {
  const sent: DeliveryRow[] = []
  const refused: Refused[] = []
  for (const { id, url } of deliveries) {
    try {
      const { data } = await api.post<DeliveryRow>(`/webhooks/deliveries/${id}/redeliver`)
      sent.push({ id: data.id, url: data.url, status: data.status })
    } catch (error) {
      if (!isOfOneDelivery(error)) {
        return { sent, refused, broken: failureOf(error, stop) }
      }
      refused.push({ id, url, reason: String(error.params.message) })
    }
  }
  return { sent, refused, broken: null }
}

async function forwardTo(context: Context, { values }: Given, receiver: URL, event: ListedEvent): Promise<ExitCode> {
  const secret = context.env.WEBHOOK_SECRET ?? ""
  if (!isWebhookSecret(secret)) {
    throw new Failure(secret === "" ? "WEBHOOK_SECRET_UNSET" : "WEBHOOK_SECRET_WRONG")
  }
  const delivery = await deliver(receiver, secret, event, context.stop)
  const { delivered, status, duration_ms, answer } = delivery
  if (!delivered) {
    const reason = status === null ? answer : `${status} ${answer}`.trim()
    throw new Failure("DELIVERY_FAILED", { url: receiver.href, reason })
  }
  if (values.json === true) {
    printJson(context, { event_id: event.event_id, event_type: typeOf(event), forward_to: receiver.href, delivery })
  } else {
    context.out(`${typeOf(event)} ${event.event_id}: ${status} after ${duration_ms} ms\n`)
  }
  return EXIT.ok
}
