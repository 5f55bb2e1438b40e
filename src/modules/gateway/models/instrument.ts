import { model } from "@medusajs/framework/utils"
import { PAYMENT_METHODS } from "../merchants/payment-services"

/**
 * What a customer can be charged with: the acquirer's token and what may be shown of it. Never a number. It belongs to a
 * customer that the merchant bills, for subscriptions only; or to a customer of the store, who has saved it for later
 * checkouts and whose subscriptions may be charged with it too (docs/decisions/0047).
 */
export const GatewayInstrument = model
  .define("gateway_instrument", {
    id: model.id({ prefix: "gin" }).primaryKey(),
    uuid: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    customer_id: model.text().nullable(),
    store_customer_id: model.text().nullable(),
    /** The attempt with which the store's customer has saved it. */
    saved_attempt_id: model.text().nullable(),
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
    /** No longer offered in checkouts (real time); a subscription may still be charged with it. */
    removed_at: model.dateTime().nullable(),
    /** When the acquirer is asked (again) to forget the token (real time); null: not now. */
    forget_at: model.dateTime().nullable(),
    forget_count: model.number().default(0),
    opened_at: model.dateTime(),
  })
  .indexes([
    { on: ["uuid"], unique: true },
    { on: ["customer_id", "acquirer"] },
    { on: ["saved_attempt_id"], unique: true, where: "saved_attempt_id IS NOT NULL" },
    {
      name: "IDX_gateway_instrument_saved",
      on: ["merchant_id", "environment", "store_customer_id"],
      where: "store_customer_id IS NOT NULL",
    },
    { on: ["forget_at"], where: "forget_at IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_instrument_owner",
      expression: (c) => `(${c.customer_id} IS NULL) <> (${c.store_customer_id} IS NULL)`,
    },
    {
      name: "gateway_instrument_saved",
      expression: (c) => `(${c.store_customer_id} IS NULL) = (${c.saved_attempt_id} IS NULL)`,
    },
    {
      name: "gateway_instrument_removed",
      expression: (c) => `${c.forget_at} IS NULL OR (${c.removed_at} IS NOT NULL AND ${c.token} IS NOT NULL)`,
    },
  ])
