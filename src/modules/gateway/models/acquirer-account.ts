import { model } from "@medusajs/framework/utils"

/**
 * A merchant's account at an acquirer that the gateway includes, for one environment. `credentials` is JSON,
 * encrypted (kernel/sealed-columns.ts); `settings` holds what is no secret. `services`: payment service codes, none for
 * all that the acquirer serves. `position`: the order in which accounts are asked. `test_problem`: what the last test
 * found wrong, as a code. `worked_at`: the last test that worked, of the credentials that are stored now.
 */
export const GatewayAcquirerAccount = model
  .define("gateway_acquirer_account", {
    id: model.id({ prefix: "gaa" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    acquirer: model.text(),
    is_active: model.boolean().default(true),
    position: model.number().default(0),
    services: model.array(),
    settings: model.json(),
    credentials: model.text(),
    tested_at: model.dateTime().nullable(),
    test_problem: model.text().nullable(),
    worked_at: model.dateTime().nullable(),
  })
  .indexes([{ on: ["merchant_id", "environment", "acquirer"], unique: true }])
