import { model } from "@medusajs/framework/utils"
import { ACCOUNTS } from "../ledger/rules"

/**
 * A part of an account's balance, kept by the triggers of gateway_ledger_entry. The parts of an account are added up:
 * with one row an account, every payment of a merchant would wait for the one before it to commit. `balance_minor` is
 * bigint in the database.
 */
export const GatewayLedgerTotal = model
  .define("gateway_ledger_total", {
    id: model.id({ prefix: "glt" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    account: model.enum([...ACCOUNTS]),
    shard: model.number(),
    balance_minor: model.number(),
  })
  .indexes([{ on: ["merchant_id", "environment", "account", "shard"], unique: true }])
