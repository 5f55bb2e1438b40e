import { model } from "@medusajs/framework/utils"

/** A customer that a merchant bills. `email_key` is the lower-case address that identifies the customer. */
export const GatewayCustomer = model
  .define("gateway_customer", {
    id: model.id({ prefix: "gcu" }).primaryKey(),
    number: model.autoincrement(),
    uuid: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    name: model.text(),
    email: model.text(),
    email_key: model.text(),
    phone: model.text().nullable(),
    phone_e164: model.text().nullable(),
    store_customer_id: model.text().nullable(),
    opened_at: model.dateTime(),
  })
  .indexes([
    { on: ["number"], unique: true },
    { on: ["uuid"], unique: true },
    { on: ["merchant_id", "environment", "email_key"], unique: true },
    { on: ["merchant_id", "environment", "number"] },
    { on: ["store_customer_id"], where: "store_customer_id IS NOT NULL" },
  ])
