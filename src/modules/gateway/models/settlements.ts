import { model } from "@medusajs/framework/utils"
import { IMPORT_STATES, LINE_STATES, SETTLEMENT_KINDS } from "../settlements/states"

const TENANT = ["merchant_id", "environment"] as const

/**
 * How the files of one acquirer or courier are read (settlements/files/template.ts). A change is a new version: an import
 * names the one that read it.
 */
export const GatewaySettlementTemplate = model
  .define("gateway_settlement_template", {
    id: model.id({ prefix: "gst" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    name: model.text(),
    version: model.number(),
    /** Whose files they are: an acquirer as payments name it, or `courier:<name>`. */
    source: model.text(),
    definition: model.json(),
    created_by: model.text(),
  })
  .indexes([
    {
      name: "IDX_gateway_settlement_template_version_unique",
      on: [...TENANT, "name", "version"],
      unique: true,
    },
  ])

/** A settlement file. The same file again continues it. Counts are of its lines. */
export const GatewaySettlementImport = model
  .define("gateway_settlement_import", {
    id: model.id({ prefix: "gsi" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    state: model.enum([...IMPORT_STATES]).default("reading"),
    source: model.text(),
    /** null: its lines came by the acquirer's API. */
    template_id: model.text().nullable(),
    file_name: model.text(),
    /** Lines read, and what became of them: written, there already, left out. */
    read_count: model.number().default(0),
    new_count: model.number().default(0),
    known_count: model.number().default(0),
    skipped_count: model.number().default(0),
    /** Lines that could not be read, as field errors; the first of them. */
    errors: model.json(),
    /** How many postings its lines have: the number of the next one. */
    postings: model.number().default(0),
    created_by: model.text(),
    imported_at: model.dateTime(),
    undone_at: model.dateTime().nullable(),
    undone_by: model.text().nullable(),
    undone_note: model.text().nullable(),
  })
  .indexes([{ name: "IDX_gateway_settlement_import_newest", on: [...TENANT, "imported_at", "id"] }])

/**
 * What an acquirer or courier says of one movement of money. Amounts are bigint in the database, in hundredths of the
 * currency, signed: above 0 comes to the merchant. `subject` is the money of ours that it is (`payment:txn_…`,
 * `refund:rfd_…`): the unique index lets no two lines be the same money. `postings` counts how often it was posted.
 */
export const GatewaySettlementLine = model
  .define("gateway_settlement_line", {
    id: model.id({ prefix: "gsl" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    import_id: model.text(),
    source: model.text(),
    key: model.text(),
    digest: model.text(),
    line: model.number(),
    kind: model.enum([...SETTLEMENT_KINDS]),
    reference: model.text().nullable(),
    order_reference: model.text().nullable(),
    gross_minor: model.number(),
    fee_minor: model.number(),
    vat_minor: model.number(),
    currency: model.text(),
    occurred_at: model.dateTime(),
    /** The month in which it counts, as `2026-11`: that of `occurred_at` in the merchant's time zone, unless that is closed. */
    month: model.text(),
    batch: model.text().nullable(),
    description: model.text().nullable(),
    state: model.enum([...LINE_STATES]).default("unknown"),
    /** Why it is unknown, or in what it differs. */
    reasons: model.array(),
    subject: model.text().nullable(),
    transaction_id: model.text().nullable(),
    /** What we know of it, signed like the line; null: nothing. */
    expected_minor: model.number().nullable(),
    /** What was kept of it and is in the ledger already, as a courier's charge. */
    booked_minor: model.number().default(0),
    /** What was agreed as its fee and the tax on it; null: nothing was. */
    agreed_fee_minor: model.number().nullable(),
    agreed_vat_minor: model.number().nullable(),
    /** The posting that has it in the ledger, which may be that of many lines; null: none. */
    posted_as: model.text().nullable(),
    note: model.text().nullable(),
    decided_by: model.text().nullable(),
    decided_at: model.dateTime().nullable(),
    postings: model.number().default(0),
  })
  .indexes([
    { name: "IDX_gateway_settlement_line_key_unique", on: [...TENANT, "source", "key"], unique: true },
    { on: ["subject"], unique: true, where: "subject IS NOT NULL" },
    { on: ["import_id", "line"] },
    { on: ["transaction_id"], where: "transaction_id IS NOT NULL" },
    { name: "IDX_gateway_settlement_line_by_time", on: [...TENANT, "occurred_at", "id"] },
    {
      name: "IDX_gateway_settlement_line_open",
      on: [...TENANT, "occurred_at", "id"],
      where: "state IN ('unknown', 'differs')",
    },
    { name: "IDX_gateway_settlement_line_batch", on: [...TENANT, "source", "batch"], where: "batch IS NOT NULL" },
    { name: "IDX_gateway_settlement_line_month", on: [...TENANT, "source", "month"] },
  ])
  .checks([
    {
      name: "gateway_settlement_line_subject",
      expression: (c) =>
        `${c.state} IN ('unknown', 'explained') OR ${c.subject} IS NOT NULL OR ${c.kind} IN ('fee', 'deposit', 'adjustment')`,
    },
  ])

/** What an acquirer has agreed to keep of each payment from a day on: a part of it, a sum, and the tax on both. */
export const GatewayFeeAgreement = model
  .define("gateway_fee_agreement", {
    id: model.id({ prefix: "gfa" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    source: model.text(),
    /** The payment service that it is for, such as `bkash`; empty: all that have no agreement of their own. */
    payment_service: model.text().default(""),
    /** A day as `2026-11-20` in the merchant's time zone, from which it holds. */
    valid_from: model.text(),
    rate_basis_points: model.number(),
    fixed_minor: model.number().default(0),
    vat_basis_points: model.number().default(0),
    created_by: model.text(),
  })
  .indexes([
    {
      name: "IDX_gateway_fee_agreement_day_unique",
      on: [...TENANT, "source", "payment_service", "valid_from"],
      unique: true,
    },
  ])
  .checks([
    {
      name: "gateway_fee_agreement_parts",
      expression: (c) =>
        `${c.rate_basis_points} BETWEEN 0 AND 10000 AND ${c.fixed_minor} >= 0 AND ${c.vat_basis_points} BETWEEN 0 AND 10000`,
    },
  ])

/**
 * What of a settlement a line of a bank brings: all of it or a part. A settlement is what `source` and `batch` name, in one
 * currency; a batch without a name is its import. Hundredths of the currency, bigint in the database, signed like the
 * settlement's net.
 */
export const GatewaySettlementAllocation = model
  .define("gateway_settlement_allocation", {
    id: model.id({ prefix: "gsa" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    /** The bank's line. */
    deposit_id: model.text(),
    source: model.text(),
    batch: model.text(),
    currency: model.text(),
    amount_minor: model.number(),
    created_by: model.text(),
  })
  .indexes([
    { name: "IDX_gateway_settlement_allocation_unique", on: ["deposit_id", "source", "batch"], unique: true },
    { name: "IDX_gateway_settlement_allocation_batch", on: [...TENANT, "source", "batch"] },
  ])
  .checks([{ name: "gateway_settlement_allocation_amount", expression: (c) => `${c.amount_minor} <> 0` }])

/** A month of a source that somebody has closed: what its lines were then, and who closed or reopened it. */
export const GatewaySettlementMonth = model
  .define("gateway_settlement_month", {
    id: model.id({ prefix: "gsm" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    source: model.text(),
    /** As `2026-11`, in the time zone (IANA) that was the merchant's when it was closed. The next month begins at its end. */
    month: model.text(),
    time_zone: model.text(),
    ends_at: model.dateTime(),
    state: model.enum(["open", "closed"]).default("closed"),
    figures: model.json(),
    closed_by: model.text(),
    closed_at: model.dateTime(),
    note: model.text().nullable(),
    reopened_by: model.text().nullable(),
    reopened_at: model.dateTime().nullable(),
    reopened_note: model.text().nullable(),
  })
  .indexes([{ name: "IDX_gateway_settlement_month_unique", on: [...TENANT, "source", "month"], unique: true }])

/** The number that a merchant's accountant has for an account of the ledger. */
export const GatewaySettlementAccount = model
  .define("gateway_settlement_account", {
    id: model.id({ prefix: "gac" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    account: model.text(),
    number: model.text(),
  })
  .indexes([{ name: "IDX_gateway_settlement_account_unique", on: [...TENANT, "account"], unique: true }])
