import { model } from "@medusajs/framework/utils"

/**
 * Refunds asked for together (contract 4.8). Those that were accepted are rows of gateway_refund; `refused` keeps the
 * others: `[{ position, transaction_id, code, message }]`. `idempotency_id` finds the batch of a request whose answer
 * was lost.
 */
export const GatewayRefundBatch = model
  .define("gateway_refund_batch", {
    id: model.id({ prefix: "rfb" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    total: model.number(),
    refused: model.json(),
    requested_by: model.text(),
    requested_at: model.dateTime(),
    idempotency_id: model.text().nullable(),
  })
  .indexes([{ on: ["idempotency_id"], unique: true, where: "idempotency_id IS NOT NULL" }])
