import { z } from "@medusajs/framework/zod"
import { moment, oneOf, uuid, whole, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

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
    log: z.array(attempt()).describe("Every attempt."),
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
