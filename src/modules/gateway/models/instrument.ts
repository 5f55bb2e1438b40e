import { model } from "@medusajs/framework/utils"
import { PAYMENT_METHODS } from "../merchants/payment-services"

/** What a customer can be charged with: the acquirer's token and what may be shown of it. Never a number. */
export const GatewayInstrument = model
  .define("gateway_instrument", {
    id: model.id({ prefix: "gin" }).primaryKey(),
    uuid: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    customer_id: model.text(),
    acquirer: model.text(),
    /** Encrypted (kernel/sealed-columns.ts); null when it may no longer be charged. */
    token: model.text().nullable(),
    method: model.enum([...PAYMENT_METHODS]),
    service: model.text(),
    brand: model.text().nullable(),
    last_four: model.text().nullable(),
    account: model.text().nullable(),
    expiry_month: model.number().nullable(),
    expiry_year: model.number().nullable(),
    opened_at: model.dateTime(),
  })
  .indexes([{ on: ["uuid"], unique: true }, { on: ["customer_id", "acquirer"] }])
