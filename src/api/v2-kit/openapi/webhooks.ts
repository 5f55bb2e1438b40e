import type { z } from "@medusajs/framework/zod"
import type { EventType } from "../../../modules/gateway/kernel/database/events"
import { nameOf } from "./named"
import { SIGNATURE_HEADERS } from "./parts"
import type { Json } from "./schemas"

export type DocumentedEvent = { summary: string; schema: () => z.ZodType; example: unknown }

export type DocumentedEvents = {
  events: Readonly<Record<EventType, DocumentedEvent>>
  /** The notification of an order's outcome to its `ipn_url`. */
  ipn: DocumentedEvent
}

const RECEIVED = {
  "200": {
    description: "Received. Any other status, and no answer within 30 seconds, is a failure that is tried again.",
  },
}

/** The requests that the gateway itself sends. */
export function webhooksOf({ events, ipn }: DocumentedEvents): Json {
  const named = Object.entries(events).map(([type, event]) => {
    return [type, delivery(event, { id: `on ${type}`, tags: ["Webhooks"], name: eventName(type), parameters: [] })]
  })
  return {
    ...Object.fromEntries(named),
    ipn: delivery(ipn, { id: "on ipn", tags: ["Webhooks"], name: "Ipn", parameters: IPN_QUERY }),
  }
}

const IPN_QUERY = [
  {
    name: "transaction_id",
    in: "query",
    required: true,
    description: "The same as in the body, for receivers that read only the query.",
    schema: { type: "string" },
  },
  {
    name: "order_id",
    in: "query",
    required: true,
    description: "The same as in the body.",
    schema: { type: "string" },
  },
]

/** `payment.succeeded` as `PaymentSucceededEvent`. */
export function eventName(type: string): string {
  const words = type.split(/[._]/).map((word) => word[0].toUpperCase() + word.slice(1))
  return `${words.join("")}Event`
}

function delivery(
  { summary, schema, example }: DocumentedEvent,
  { id, tags, name, parameters }: { id: string; tags: string[]; name: string; parameters: Json[] }
): Json {
  return {
    post: {
      operationId: id.replace(/[ ._](.)/g, (_, letter: string) => letter.toUpperCase()),
      tags,
      summary,
      description: "Verify the signature over the bytes as they came, then answer 200 at once and work afterwards.",
      security: [],
      parameters: [...parameters, ...SIGNATURE_HEADERS],
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: { $ref: `#/components/schemas/${nameOf(schema(), name)}` }, example },
        },
      },
      responses: RECEIVED,
    },
  }
}
