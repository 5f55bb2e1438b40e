import { model } from "@medusajs/framework/utils"
import { ACCOUNTS } from "../ledger/rules"

/**
 * One shard of an account's balance in one currency, kept by the triggers of gateway_ledger_entry; the balance is the
 * sum of the shards. With one row per account, every payment of a merchant would wait for the previous one to commit.
 * The id has a default; `balance_minor` is bigint in the database.
 */
export const GatewayLedgerTotal = model
  .define("gateway_ledger_total", {
    id: model.id({ prefix: "glt" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    account: model.enum([...ACCOUNTS]),
    currency: model.text(),
    shard: model.number(),
    balance_minor: model.number(),
  })
  .indexes([
    {
      name: "IDX_gateway_ledger_total_key_unique",
      on: ["merchant_id", "environment", "account", "currency", "shard"],
      unique: true,
    },
  ])
