import { model } from "@medusajs/framework/utils"

/**
 * A refund requested from a gateway in another deployment. The row is written before the call, and its id is the call's
 * Idempotency-Key. `request_key` is the id of Medusa's own refund, which Medusa deletes when a call fails.
 */
export const GatewayRemoteRefund = model
  .define("gateway_remote_refund", {
    id: model.id({ prefix: "grr" }).primaryKey(),
    transaction_id: model.text(),
    amount_minor: model.number(),
    request_key: model.text(),
    state: model.enum(["asked", "accepted", "refused"]).default("asked"),
    refund_id: model.text().nullable(),
    last_error: model.json().nullable(),
  })
  .indexes([{ on: ["transaction_id", "request_key"], unique: true }])
  .checks([{ name: "gateway_remote_refund_amount_positive", expression: (columns) => `${columns.amount_minor} > 0` }])
