import { model } from "@medusajs/framework/utils"

/** The last invoice number used. It is taken in the invoice's own transaction, so that numbers have no gaps. */
export const GatewayInvoiceSeries = model
  .define("gateway_invoice_series", {
    id: model.id({ prefix: "ins" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    last_number: model.number().default(0),
  })
  .indexes([{ on: ["merchant_id", "environment"], unique: true }])
