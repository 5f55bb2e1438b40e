import { model } from "@medusajs/framework/utils"
import { PAYOUT_STATES } from "../ledger/payout-states"

/** Money paid out to a merchant, recorded by an admin. `amount_minor` is bigint in the database. */
export const GatewayPayout = model
  .define("gateway_payout", {
    id: model.id({ prefix: "gpo" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    state: model.enum([...PAYOUT_STATES]).default("recorded"),
    amount_minor: model.number(),
    currency: model.text(),
    /** The bank's reference: it keeps one transfer from being recorded twice. */
    reference: model.text(),
    note: model.text().nullable(),
    recorded_by: model.text(),
    recorded_at: model.dateTime(),
    reversed_by: model.text().nullable(),
    reversed_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["merchant_id", "environment", "reference"], unique: true, where: "state = 'recorded'" },
    { on: ["merchant_id", "environment", "recorded_at"] },
  ])
  .checks([{ name: "gateway_payout_amount", expression: (c) => `${c.amount_minor} > 0` }])
