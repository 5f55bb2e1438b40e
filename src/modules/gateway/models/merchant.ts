import { model } from "@medusajs/framework/utils"

/** A business that takes payments. `number` is the contract's integer merchant_id. */
export const GatewayMerchant = model
  .define("gateway_merchant", {
    id: model.id({ prefix: "mer" }).primaryKey(),
    number: model.autoincrement(),
    name: model.text().searchable(),
    email: model.text().nullable(),
    status: model.enum(["active", "suspended"]).default("active"),
    verification_status: model.enum(["unverified", "pending", "approved", "rejected"]).default("unverified"),
    settings: model.json().default({}),
    /** How it presents itself to shoppers (merchants/profile-rules.ts). */
    profile: model.json().default({}),
  })
  .indexes([{ on: ["number"], unique: true }])
