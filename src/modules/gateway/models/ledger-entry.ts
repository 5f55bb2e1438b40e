import { model } from "@medusajs/framework/utils"
import { ACCOUNTS, POSTING_KINDS } from "../ledger/rules"

/**
 * One line of the double-entry ledger; never changed. Its id is `<posting>:<account>`. `amount_minor` is bigint in the
 * database (see the migration): a payout may be larger than an integer. Triggers keep the sum of every posting at zero
 * and gateway_ledger_total and gateway_ledger_posting up to date. In partitions of a month by `created_at`
 * (docs/decisions/0073).
 */
export const GatewayLedgerEntry = model
  .define("gateway_ledger_entry", {
    id: model.id({ prefix: "gle" }).primaryKey(),
    number: model.autoincrement(),
    posting: model.text(),
    kind: model.enum([...POSTING_KINDS]),
    account: model.enum([...ACCOUNTS]),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    currency: model.text(),
    amount_minor: model.number(),
    transaction_id: model.text().nullable(),
    refund_id: model.text().nullable(),
    payout_id: model.text().nullable(),
    dispute_id: model.text().nullable(),
    occurred_at: model.dateTime(),
  })
  .indexes([
    { on: ["merchant_id", "environment", "account", "occurred_at", "number"] },
    { on: ["transaction_id"], where: "transaction_id IS NOT NULL" },
    { on: ["payout_id"], where: "payout_id IS NOT NULL" },
    { on: ["dispute_id"], where: "dispute_id IS NOT NULL" },
  ])
  .checks([{ name: "gateway_ledger_entry_amount", expression: (c) => `${c.amount_minor} <> 0` }])
