import { model } from "@medusajs/framework/utils"

/** A merchant's API key. Only the hash is stored; the key itself is shown once (decisions: Environments). */
export const GatewayApiKey = model
  .define("gateway_api_key", {
    id: model.id({ prefix: "gak" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    type: model.enum(["secret", "restricted"]).default("secret"),
    name: model.text(),
    prefix: model.text(),
    last_four: model.text(),
    key_hash: model.text(),
    scopes: model.array(),
    expires_at: model.dateTime().nullable(),
    revoked_at: model.dateTime().nullable(),
    last_used_at: model.dateTime().nullable(),
  })
  .indexes([{ on: ["key_hash"], unique: true }, { on: ["merchant_id", "environment"] }])
