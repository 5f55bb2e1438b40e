import { model } from "@medusajs/framework/utils"

/**
 * One request to `/api/v2` by a known key, also a revoked or expired one: operation, address, outcome, duration. No
 * bodies and nothing secret. In partitions of a day by `created_at`, dropped after some days (docs/decisions/0073).
 */
export const GatewayRequestLog = model
  .define("gateway_request_log", {
    id: model.id({ prefix: "grl" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    key_id: model.text(),
    method: model.text(),
    /** The path's template, `/payments/verify/{transaction_id}`: ids of payments are not stored here. */
    path: model.text(),
    status: model.number(),
    error_code: model.text().nullable(),
    duration_ms: model.number(),
    request_id: model.text(),
    /** The client's address, from the socket and TRUSTED_PROXIES; null in rows from before it was stored. */
    address: model.text().nullable(),
    requested_at: model.dateTime(),
  })
  .indexes([
    { on: ["merchant_id", "environment", "requested_at", "id"] },
    {
      name: "IDX_gateway_request_log_not_well",
      on: ["merchant_id", "environment", "requested_at", "id"],
      where: "status >= 400",
    },
    { on: ["request_id"] },
    { on: ["requested_at"] },
  ])
