import { model } from "@medusajs/framework/utils"

/**
 * One event on its way to one receiver: a webhook endpoint, or the `ipn_url` of an order. `receiver_key` identifies the
 * receiver for fair sharing. Due times are real time; moving a sandbox clock moves them. In partitions of a month by
 * `created_at`, which is that of its event too (docs/decisions/0073).
 */
export const GatewayWebhookDelivery = model
  .define("gateway_webhook_delivery", {
    id: model.id({ prefix: "gwd" }).primaryKey(),
    number: model.autoincrement(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    event_id: model.text(),
    event_type: model.text(),
    /** When the event occurred, on the merchant's clock: lists of a period are in its order. */
    occurred_at: model.dateTime(),
    endpoint_id: model.text().nullable(),
    ipn_url: model.text().nullable(),
    ipn_body: model.json().nullable(),
    receiver_key: model.text(),
    state: model.enum(["pending", "delivered", "failed"]).default("pending"),
    attempts: model.number().default(0),
    /** Failures since it was last queued: the retry schedule counts these, the log counts attempts. */
    failures: model.number().default(0),
    next_attempt_at: model.dateTime(),
    locked_until: model.dateTime().nullable(),
    lock_token: model.text().nullable(),
    last_status_code: model.number().nullable(),
    last_error: model.json().nullable(),
    delivered_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["number", "created_at"], unique: true },
    { on: ["receiver_key", "next_attempt_at", "number"], where: "state = 'pending'" },
    { on: ["event_id"] },
    { on: ["merchant_id", "environment", "number"] },
    { name: "IDX_gateway_webhook_delivery_by_time", on: ["merchant_id", "environment", "occurred_at", "number"] },
    {
      name: "IDX_gateway_webhook_delivery_undelivered",
      on: ["merchant_id", "environment", "state", "number"],
      where: "state <> 'delivered'",
    },
    { on: ["endpoint_id", "number"] },
  ])
