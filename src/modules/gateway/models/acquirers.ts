import { model } from "@medusajs/framework/utils"
import { CAPTURE_MODES, PAYMENT_METHODS } from "../merchants/payment-services"

/**
 * A merchant's account at an acquirer that the gateway includes, for one environment. `credentials` is JSON,
 * encrypted (kernel/database/replaced-keys.ts); `settings` holds what is no secret. `services`: payment service codes, none for
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

/**
 * An access token that all processes share, because its acquirer allows few of them an hour. The id names the account.
 * Both tokens are encrypted. `lock_token` and `locked_until` are the lease of the process that renews it.
 */
export const GatewayAcquirerToken = model.define("gateway_acquirer_token", {
  id: model.id({ prefix: "gat" }).primaryKey(),
  token: model.text().nullable(),
  refresh_token: model.text().nullable(),
  expires_at: model.dateTime().nullable(),
  lock_token: model.text().nullable(),
  locked_until: model.dateTime().nullable(),
})

/**
 * An acquirer that cannot begin payments of a merchant, for as long as it cannot. `probe_at`: when the next payment may
 * try it; whoever does moves it on.
 */
export const GatewayAcquirerOutage = model
  .define("gateway_acquirer_outage", {
    id: model.id({ prefix: "gao" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    acquirer: model.text(),
    cause: model.text(),
    since: model.dateTime(),
    probe_at: model.dateTime(),
  })
  .indexes([{ on: ["merchant_id", "environment", "acquirer"], unique: true }])

/**
 * A payment service of a merchant in one environment, with its fee. `routes`: which acquirers are asked first, and for
 * which payments (acquirers/routing-rules.ts); null: in the order of the accounts.
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
    routes: model.json().nullable(),
    /** When the money of its payments is taken; null: as the merchant says for all. */
    capture: model.enum([...CAPTURE_MODES]).nullable(),
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

/**
 * The sandbox acquirer's own vault: how charges of a token end. The id is the token's SHA-256: as with a real bank,
 * only the holder of the instrument has the token.
 */
export const GatewaySandboxInstrument = model.define("gateway_sandbox_instrument", {
  id: model.id({ prefix: "sbt" }).primaryKey(),
  method: model.enum([...PAYMENT_METHODS]),
  outcome: model.text(),
  refund_behaviour: model.enum(["standard", "instant", "delayed", "fails"]).default("standard"),
  summary: model.json(),
})

/**
 * The sandbox acquirer's own book, as a bank would keep it: one row per key, however often it is requested. It belongs
 * to the acquirer alone; the gateway reads it only through the acquirer's port.
 */
export const GatewaySandboxOperation = model
  .define("gateway_sandbox_operation", {
    id: model.id({ prefix: "sbo" }).primaryKey(),
    key: model.text(),
    kind: model.enum(["charge", "refund", "authorization", "capture", "release"]),
    charge_key: model.text().nullable(),
    outcome: model.text(),
    refund_behaviour: model.enum(["standard", "instant", "delayed", "fails"]).default("standard"),
    amount_minor: model.number(),
    /** For EMI: what the bank collects from its customer in all, and in how many instalments. */
    collected_minor: model.number().nullable(),
    instalments: model.number().nullable(),
    currency: model.text(),
    reference: model.text(),
    tries: model.number().default(1),
    /** Of an authorisation: whether its captures fail, and until when it can be captured. */
    captures_fail: model.boolean().default(false),
    authorized_until: model.dateTime().nullable(),
    available_at: model.dateTime(),
  })
  .indexes([{ on: ["kind", "key"], unique: true }, { on: ["charge_key"] }, { on: ["reference"], unique: true }])
