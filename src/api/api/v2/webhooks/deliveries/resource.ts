import { z } from "@medusajs/framework/zod"
import type { Message } from "../../../../../i18n/message"
import { translate } from "../../../../../i18n/translate"
import type { DeliveryRow } from "../../../../../modules/gateway/webhooks/deliveries"
import type { JsonObject } from "../../../../v2-kit/body"
import { arrayOf, moment, oneOf, uuid, whole, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import { instant, parse, rule, text, withoutAbsent } from "../../../../v2-kit/validate"

const attempt = named("DeliveryAttempt", () =>
  z.object({
    attempt: whole("Which attempt, from 1."),
    attempted_at: moment("When it was made."),
    url: words("What was called."),
    duration_ms: whole("How long it took, in milliseconds."),
    status_code: z.int().nullable().describe("What the receiver answered; null: nothing."),
    response: z.string().nullable().describe("The first kilobyte of the answer."),
    error: z.string().nullable().describe("Why it counts as failed."),
  })
)

export const delivery = named("Delivery", () =>
  z.object({
    id: whole("The delivery."),
    event_id: uuid("The event."),
    event_type: words("Its type."),
    endpoint_id: z.int().nullable().describe("The endpoint; null: it goes to an order's `ipn_url`."),
    url: words("What was called last, or will be."),
    status: oneOf(["pending", "delivered", "failed"], "`failed`: it is not tried again automatically."),
    attempts: whole("How often it was tried."),
    next_attempt_at: moment("When it is tried next; null when it is not.").nullable(),
    status_code: z.int().nullable().describe("What the receiver answered last."),
    error: z.string().nullable().describe("Why the last attempt counts as failed."),
    delivered_at: moment("When the receiver took it.").nullable(),
    created_at: moment("When the event happened."),
    log: arrayOf(attempt(), "Every attempt."),
  })
)

export const redelivered = named("Redelivered", () =>
  z.object({ redelivered: whole("How many deliveries are sent again.") })
)

export const testDelivery = named("TestDelivery", () =>
  z.object({
    delivered: z.boolean().describe("Whether the receiver answered 200."),
    status_code: z.int().nullable().describe("What it answered; null: nothing."),
    duration_ms: whole("How long it took, in milliseconds."),
    error: words("Why it counts as failed. Only then.").optional(),
  })
)

export const filterSchema = z.object({
  endpoint_id: text(64).optional(),
  event_id: text(64).optional(),
  event_type: text(64).optional(),
  after: text(64).optional(),
  status: z
    .enum(["pending", "delivered", "failed"], rule("either", { values: "pending, delivered", last: "failed" }))
    .optional(),
})

export const sinceSchema = z.object({ since: instant })

export function readSince(body: JsonObject): Date {
  return parse(sinceSchema, withoutAbsent(body, [])).since
}

export function presentDelivery(row: DeliveryRow) {
  return {
    id: row.number,
    event_id: row.event_id,
    event_type: row.event_type,
    endpoint_id: row.endpoint_number,
    url: row.url,
    status: row.state,
    attempts: row.attempts,
    next_attempt_at: row.state === "pending" ? row.next_attempt_at.toISOString() : null,
    status_code: row.last_status_code,
    error: wordsOf(row.last_error),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    log: row.log.map((attempt) => ({ ...attempt, error: wordsOf(attempt.error) })),
  }
}

/** The contract shows a text (4.7). */
function wordsOf(error: Message | null): string | null {
  return error && translate(error)
}

export const EXAMPLE = {
  id: 1001,
  event_id: "a695655c-7203-4d78-b5cd-f5d3dfc8fc26",
  event_type: "payment.succeeded",
  endpoint_id: 1001,
  url: "https://shop.example.com/webhooks",
  status: "delivered",
  attempts: 1,
  next_attempt_at: null,
  status_code: 200,
  error: null,
  delivered_at: "2027-03-01T10:00:01.000Z",
  created_at: "2027-03-01T10:00:00.000Z",
  log: [
    {
      attempt: 1,
      attempted_at: "2027-03-01T10:00:01.000Z",
      url: "https://shop.example.com/webhooks",
      duration_ms: 84,
      status_code: 200,
      response: "ok",
      error: null,
    },
  ],
}
