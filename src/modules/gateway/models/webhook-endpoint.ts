import { model } from "@medusajs/framework/utils"

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
    /** Both encrypted (kernel/sealed-columns.ts), and erased with the endpoint. */
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
