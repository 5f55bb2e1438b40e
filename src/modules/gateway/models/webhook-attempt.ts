import { model } from "@medusajs/framework/utils"

/** One attempt of a delivery; `response` is the first kilobyte of the answer. */
export const GatewayWebhookAttempt = model
  .define("gateway_webhook_attempt", {
    id: model.id({ prefix: "gwa" }).primaryKey(),
    delivery_id: model.text(),
    /** In partitions by this: a month of attempts goes with its deliveries (docs/decisions/0073). */
    delivery_created_at: model.dateTime(),
    attempt: model.number(),
    attempted_at: model.dateTime(),
    /** The address that was called, with the query of an IPN: the endpoint's may have changed since. */
    url: model.text(),
    duration_ms: model.number(),
    status_code: model.number().nullable(),
    response: model.text().nullable(),
    error: model.json().nullable(),
  })
  .indexes([
    { name: "IDX_gateway_webhook_attempt_once", on: ["delivery_id", "attempt", "delivery_created_at"], unique: true },
  ])
