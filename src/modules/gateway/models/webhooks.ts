import { model } from "@medusajs/framework/utils"
import { HOOKS } from "../kernel/database/hook-calls"

/**
 * The outbox: an event is written in the transaction of the change it announces (design: six rules, 3). In partitions
 * of a month by `created_at`, which is part of each unique key in the database (docs/decisions/23).
 */
export const GatewayEvent = model
  .define("gateway_event", {
    id: model.id({ prefix: "gev" }).primaryKey(),
    event_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    event_type: model.text(),
    resource_id: model.text(),
    data: model.json(),
    occurred_at: model.dateTime(),
    /** The trace that the change was made in, when somebody traces (docs/decisions/30). */
    traceparent: model.text().nullable(),
  })
  .indexes([
    { on: ["event_id", "created_at"], unique: true },
    { on: ["merchant_id", "environment", "created_at"] },
    { name: "IDX_gateway_event_by_type", on: ["merchant_id", "environment", "event_type", "created_at"] },
    { on: ["resource_id"] },
  ])

/**
 * An event that has no position yet (models/webhooks.ts), by the id and with the `created_at` of its row. A
 * trigger writes it with the event, and numbering deletes it: what is here is committed, however late.
 */
export const GatewayEventArrival = model.define("gateway_event_arrival", {
  id: model.id({ prefix: "gev" }).primaryKey(),
  event_id: model.text(),
  merchant_id: model.text(),
  environment: model.enum(["sandbox", "production"]),
  event_type: model.text(),
})

/**
 * The place of an event in the order in which it can be read without loss: no event ever gets one before an event that
 * has been read (docs/decisions/20). With the `created_at` of its event, in partitions that are dropped with the
 * event's. bigint in the database.
 */
export const GatewayEventPosition = model
  .define("gateway_event_position", {
    id: model.id({ prefix: "gev" }).primaryKey(),
    position: model.number(),
    event_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    event_type: model.text(),
  })
  .indexes([
    { on: ["position", "created_at"], unique: true },
    { on: ["event_id"] },
    { on: ["merchant_id", "environment", "position"] },
    {
      name: "IDX_gateway_event_position_by_type",
      on: ["merchant_id", "environment", "event_type", "position"],
    },
  ])

/** One attempt of a delivery; `response` is the first kilobyte of the answer. */
export const GatewayWebhookAttempt = model
  .define("gateway_webhook_attempt", {
    id: model.id({ prefix: "gwa" }).primaryKey(),
    delivery_id: model.text(),
    /** In partitions by this: a month of attempts goes with its deliveries (docs/decisions/23). */
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

/**
 * One event on its way to one receiver: a webhook endpoint, or the `ipn_url` of an order. `receiver_key` identifies the
 * receiver for fair sharing. Due times are real time; moving a sandbox clock moves them. In partitions of a month by
 * `created_at`, which is that of its event too (docs/decisions/23).
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

/**
 * An endpoint of a merchant's system. `previous_secrets` lists what rotations have replaced within a day (decisions:
 * Webhooks).
 */
export const GatewayWebhookEndpoint = model
  .define("gateway_webhook_endpoint", {
    id: model.id({ prefix: "gwe" }).primaryKey(),
    number: model.autoincrement(),
    uuid: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    endpoint_url: model.text(),
    event_types: model.array(),
    signature_format: model.enum(["hex", "prefixed"]).default("hex"),
    /** Both encrypted (kernel/database/replaced-keys.ts), and erased with the endpoint. */
    secret: model.text().nullable(),
    previous_secrets: model.text().nullable(),
    is_active: model.boolean().default(true),
    disabled_reason: model.json().nullable(),
    disabled_notified_at: model.dateTime().nullable(),
    /** While a worker notifies the merchant that the endpoint is disabled. */
    locked_until: model.dateTime().nullable(),
    failing_since: model.dateTime().nullable(),
  })
  .indexes([{ on: ["number"], unique: true }, { on: ["uuid"], unique: true }, { on: ["merchant_id", "environment"] }])
  .checks([
    {
      name: "gateway_webhook_endpoint_secrets",
      expression: (c) =>
        `(${c.deleted_at} IS NULL) = (${c.secret} IS NOT NULL) AND (${c.deleted_at} IS NULL OR ${c.previous_secrets} IS NULL)`,
    },
  ])

/**
 * A call of a host's hook that has not succeeded yet, written beside the change that it is about. `next_attempt_at` is
 * null after the last try.
 */
export const GatewayHookCall = model
  .define("gateway_hook_call", {
    id: model.id({ prefix: "ghc" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    hook: model.enum([...HOOKS]),
    resource_id: model.text(),
    input: model.json(),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    lock_token: model.text().nullable(),
    locked_until: model.dateTime().nullable(),
    last_error: model.text().nullable(),
  })
  .indexes([
    { on: ["hook", "resource_id"], unique: true },
    { on: ["next_attempt_at"], where: "next_attempt_at IS NOT NULL" },
  ])
