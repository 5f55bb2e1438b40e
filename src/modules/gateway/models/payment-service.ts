import { model } from "@medusajs/framework/utils"

/**
 * A payment service of a merchant in one environment, with its fee. `acquirers`: those that are asked first, in order;
 * null: in the order of the accounts.
 */
export const GatewayPaymentService = model
  .define("gateway_payment_service", {
    id: model.id({ prefix: "gps" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    service_id: model.number(),
    code: model.text(),
    name: model.text(),
    kind: model.enum(["card", "mobile_banking", "internet_banking", "wallet"]),
    fee_basis_points: model.number(),
    fee_fixed_minor: model.number().default(0),
    supports_refunds: model.boolean().default(true),
    is_active: model.boolean().default(true),
    acquirers: model.array().nullable(),
  })
  .indexes([
    { on: ["merchant_id", "environment", "service_id"], unique: true },
    { on: ["merchant_id", "environment", "code"], unique: true },
  ])
  .checks([
    {
      name: "gateway_payment_service_fee",
      expression: (c) => `${c.fee_basis_points} BETWEEN 0 AND 10000 AND ${c.fee_fixed_minor} >= 0`,
    },
  ])
