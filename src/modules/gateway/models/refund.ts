import { model } from "@medusajs/framework/utils"
import { REFUND_STATES } from "../domain/state-machines/refund"

/** Money on its way back to the shopper. `idempotency_key` is what the acquirer knows the refund by. */
export const GatewayRefund = model
  .define("gateway_refund", {
    id: model.id({ prefix: "rfd" }).primaryKey(),
    transaction_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    state: model.enum([...REFUND_STATES]).default("pending"),
    amount_minor: model.number(),
    currency: model.text(),
    reason: model.text(),
    requested_by: model.text(),
    request_key: model.text().nullable(),
    acquirer_reference: model.text().nullable(),
    error_message: model.text().nullable(),
    inquiry_at: model.dateTime().nullable(),
    inquiry_count: model.number().default(0),
    completed_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["transaction_id"] },
    { on: ["transaction_id", "request_key"], unique: true, where: "request_key IS NOT NULL" },
    { on: ["inquiry_at"], where: "state = 'processing'" },
  ])
  .checks([{ name: "gateway_refund_amount", expression: (c) => `${c.amount_minor} > 0` }])
