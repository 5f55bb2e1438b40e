import { model } from "@medusajs/framework/utils"
import { CART_COMPLETION_STATES } from "../checkout/cart-completion-states"

/**
 * What became of a paid Medusa cart; `history` is the trace an admin reads: `[{ at, what }]`. The cart of a renewal
 * (`subscription_id`, `period`) is known by its id before it exists, and so is made once; `payment_session_id` is
 * written when Medusa has its payment session.
 */
export const GatewayCartCompletion = model
  .define("gateway_cart_completion", {
    id: model.id({ prefix: "gcc" }).primaryKey(),
    transaction_id: model.text(),
    session_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    cart_id: model.text(),
    payment_session_id: model.text().nullable(),
    subscription_id: model.text().nullable(),
    period: model.number().nullable(),
    state: model.enum([...CART_COMPLETION_STATES]).default("waiting"),
    order_id: model.text().nullable(),
    refund_id: model.text().nullable(),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    lock_token: model.text().nullable(),
    locked_until: model.dateTime().nullable(),
    last_error: model.json().nullable(),
    history: model.json(),
  })
  .indexes([
    { on: ["transaction_id"], unique: true },
    { on: ["cart_id"] },
    { on: ["subscription_id", "period"], unique: true, where: "subscription_id IS NOT NULL" },
    { on: ["order_id"], where: "order_id IS NOT NULL" },
    { on: ["merchant_id", "environment", "created_at"] },
    {
      name: "IDX_gateway_cart_completion_unsettled",
      on: ["merchant_id", "environment"],
      where: "state = 'needs_attention'",
    },
    { on: ["next_attempt_at"], where: "next_attempt_at IS NOT NULL" },
  ])
