import { apiOf, type Api } from "../api"
import { requireUrl, textOf, URL_HELP, URL_OPTION, type Command, type Given } from "../command"
import type { Context } from "../context"
import { EXIT, Failure, type ExitCode } from "../failure"
import { deliver, isWebhookSecret } from "../listen/deliver"
import { typeOf, type ListedEvent } from "../listen/feed"
import { printJson, table } from "../output"

type DeliveryRow = { id: number; url: string; status: string }

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
  const sent: DeliveryRow[] = []
  for (const { id } of deliveries) {
    sent.push((await api.post<DeliveryRow>(`/webhooks/deliveries/${id}/redeliver`)).data)
  }
  const shown = sent.map(({ id, url, status }) => ({ id, url, status }))
  if (values.json === true) {
    printJson(context, { event_id, event_type: typeOf(event), deliveries: shown })
  } else {
    context.out(
      table(
        ["DELIVERY", "STATUS", "URL"],
        shown.map(({ id, url, status }) => [String(id), status, url])
      )
    )
  }
  return EXIT.ok
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
