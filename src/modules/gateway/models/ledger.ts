import { model } from "@medusajs/framework/utils"
import { PAYOUT_STATES } from "../ledger/payout-states"
import { ACCOUNTS, POSTING_KINDS } from "../ledger/rules"

/**
 * One line of the double-entry ledger; never changed. Its id is `<posting>:<account>`. `amount_minor` is bigint in the
 * database (see the migration): a payout may be larger than an integer. Triggers keep the sum of every posting at zero
 * and gateway_ledger_total and gateway_ledger_posting up to date. In partitions of a month by `created_at`
 * (docs/decisions/23).
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

/**
 * The id of each posting in the ledger, once: its key lets nothing be posted twice. Its `created_at` is that of the
 * entries, and finds them in their partition. A trigger writes it.
 */
export const GatewayLedgerPosting = model.define("gateway_ledger_posting", {
  id: model.id({ prefix: "glp" }).primaryKey(),
})

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

/** Money paid out to a merchant, recorded by an admin. `amount_minor` is bigint in the database. */
export const GatewayPayout = model
  .define("gateway_payout", {
    id: model.id({ prefix: "gpo" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    state: model.enum([...PAYOUT_STATES]).default("recorded"),
    amount_minor: model.number(),
    currency: model.text(),
    /** The bank's reference: it keeps one transfer from being recorded twice. */
    reference: model.text(),
    note: model.text().nullable(),
    /** Days, `date` in the database: when the bank has transferred it, and the first and last day that it pays for. */
    transferred_on: model.text().nullable(),
    period_from: model.text().nullable(),
    period_to: model.text().nullable(),
    recorded_by: model.text(),
    recorded_at: model.dateTime(),
    reversed_by: model.text().nullable(),
    reversed_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["merchant_id", "environment", "reference"], unique: true, where: "state = 'recorded'" },
    { on: ["merchant_id", "environment", "recorded_at"] },
  ])
  .checks([
    { name: "gateway_payout_amount", expression: (c) => `${c.amount_minor} > 0` },
    {
      name: "gateway_payout_period",
      expression: (c) =>
        `(${c.period_from} IS NULL) = (${c.period_to} IS NULL) AND (${c.period_from} IS NULL OR ${c.period_from} <= ${c.period_to})`,
    },
  ])
