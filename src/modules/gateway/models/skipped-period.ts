import { model } from "@medusajs/framework/utils"
import { SKIP_REASONS } from "../subscriptions/store/stock"

/**
 * A period of a store's subscription that was not delivered, and so not charged, or refunded (docs/decisions/0025).
 * `mail_due_at` is real time: when to notify its customer by e-mail; null once that is done or given up.
 */
export const GatewaySkippedPeriod = model
  .define("gateway_skipped_period", {
    id: model.id({ prefix: "gsk" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    subscription_id: model.text(),
    period: model.number(),
    reason: model.enum([...SKIP_REASONS]),
    amount_minor: model.number(),
    period_start: model.dateTime(),
    period_end: model.dateTime(),
    skipped_at: model.dateTime(),
    mail_due_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["subscription_id", "period"], unique: true },
    { on: ["mail_due_at"], where: "mail_due_at IS NOT NULL" },
  ])
