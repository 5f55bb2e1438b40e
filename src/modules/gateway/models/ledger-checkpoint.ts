import { model } from "@medusajs/framework/utils"
import { ACCOUNTS } from "../ledger/rules"

/**
 * The sum of an account's entries in one currency that were written before a moment of the past: the newest
 * `counted_until` of all rows is that moment for every account (ledger/checkpoints.ts). The check of the last minutes
 * adds up only what was written since. `balance_minor` is bigint in the database, in hundredths of the currency.
 */
export const GatewayLedgerCheckpoint = model
  .define("gateway_ledger_checkpoint", {
    id: model.id({ prefix: "glc" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    account: model.enum([...ACCOUNTS]),
    currency: model.text(),
    balance_minor: model.number(),
    counted_until: model.dateTime(),
  })
  .indexes([
    {
      name: "IDX_gateway_ledger_checkpoint_key_unique",
      on: ["merchant_id", "environment", "account", "currency"],
      unique: true,
    },
    { name: "IDX_gateway_ledger_checkpoint_counted_until", on: ["counted_until"] },
  ])
