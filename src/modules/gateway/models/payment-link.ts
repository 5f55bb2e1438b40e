import { model } from "@medusajs/framework/utils"
import { LINK_STATES } from "../links/states"

/**
 * A link that asks for one amount, once (docs/decisions/0055). The row does not store whether it is paid or expired:
 * the first follows from its transaction (`gateway_transaction.link_id`), the second from `expires_at` and the
 * merchant's clock. Amount in hundredths of the currency.
 */
export const GatewayPaymentLink = model
  .define("gateway_payment_link", {
    id: model.id({ prefix: "lnk" }).primaryKey(),
    /** The end of its public address: whoever has it may see the link and pay it. */
    token: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    state: model.enum([...LINK_STATES]).default("open"),
    amount_minor: model.number(),
    currency: model.text(),
    description: model.text(),
    /** Who is asked to pay; null: whoever opens it says so. */
    customer: model.json().nullable(),
    customer_phone: model.text().nullable(),
    expires_at: model.dateTime().nullable(),
    disabled_at: model.dateTime().nullable(),
    created_by: model.text(),
    idempotency_id: model.text().nullable(),
    opened_at: model.dateTime(),
  })
  .indexes([
    { on: ["token"], unique: true },
    { name: "IDX_gateway_payment_link_newest", on: ["merchant_id", "environment", "created_at", "id"] },
    { on: ["idempotency_id"], unique: true, where: "idempotency_id IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_payment_link_state",
      expression: (c) => `${c.amount_minor} > 0 AND (${c.state} = 'disabled') = (${c.disabled_at} IS NOT NULL)`,
    },
  ])
