import { model } from "@medusajs/framework/utils"

/** A request that was sent with an Idempotency-Key, and its answer once there is one (decisions: Requests). */
export const GatewayIdempotencyKey = model
  .define("gateway_idempotency_key", {
    id: model.id({ prefix: "idem" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    key: model.text(),
    fingerprint: model.text(),
    lease_token: model.text(),
    leased_until: model.dateTime(),
    expires_at: model.dateTime(),
    status: model.number().nullable(),
    /** Encrypted (kernel/sealed-columns.ts): some answers hold a secret that is shown once. */
    body: model.text().nullable(),
  })
  .indexes([{ on: ["merchant_id", "environment", "key"], unique: true }, { on: ["expires_at"] }])
