import { model } from "@medusajs/framework/utils"
import { ORDER_REFUND_STATES } from "../refunds/orders/states"

/**
 * A refund of a cart's payment and the Medusa refund that shows it on the order; `origin` says which was there first.
 * `credit_minor` is what the order's total falls by, decided once. `history` is for an admin: `[{ at, what }]`.
 */
export const GatewayOrderRefund = model
  .define("gateway_order_refund", {
    id: model.id({ prefix: "gor" }).primaryKey(),
    refund_id: model.text(),
    transaction_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    origin: model.enum(["gateway", "medusa"]),
    state: model.enum([...ORDER_REFUND_STATES]).default("waiting"),
    medusa_refund_id: model.text().nullable(),
    order_id: model.text().nullable(),
    credit_minor: model.number().nullable(),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    /** How often the refund has changed: work that was done for an older change does not settle a newer one. */
    revision: model.number().default(0),
    lock_token: model.text().nullable(),
    locked_until: model.dateTime().nullable(),
    last_error: model.json().nullable(),
    history: model.json(),
  })
  .indexes([
    { on: ["refund_id"], unique: true },
    { on: ["medusa_refund_id"], unique: true, where: "medusa_refund_id IS NOT NULL" },
    { on: ["transaction_id"] },
    { on: ["order_id"], where: "order_id IS NOT NULL" },
    { on: ["next_attempt_at"], where: "next_attempt_at IS NOT NULL" },
  ])
