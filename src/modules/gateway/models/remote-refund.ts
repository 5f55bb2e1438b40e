import { model } from "@medusajs/framework/utils"

/**
 * A refund requested from a gateway in another deployment. The row is written before the call, and its id is the call's
 * Idempotency-Key. `request_key` is the id of Medusa's own refund, which Medusa deletes when a call fails. An accepted
 * refund can still be rejected or fail over there: `next_ask_at` is when the worker looks at it next, null when nothing
 * is left to do; `asks` is how often it has looked.
 */
export const GatewayRemoteRefund = model
  .define("gateway_remote_refund", {
    id: model.id({ prefix: "grr" }).primaryKey(),
    transaction_id: model.text(),
    amount_minor: model.number(),
    request_key: model.text(),
    state: model.enum(["asked", "accepted", "completed", "refused"]).default("asked"),
    refund_id: model.text().nullable(),
    last_error: model.json().nullable(),
    asks: model.number().default(0),
    next_ask_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["transaction_id", "request_key"], unique: true },
    { name: "IDX_gateway_remote_refund_due", on: ["next_ask_at"], where: "next_ask_at IS NOT NULL" },
  ])
  .checks([{ name: "gateway_remote_refund_amount_positive", expression: (columns) => `${columns.amount_minor} > 0` }])
