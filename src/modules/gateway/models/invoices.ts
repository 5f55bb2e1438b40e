import { model } from "@medusajs/framework/utils"
import { INVOICE_MAIL_KINDS } from "../invoices/mail-rules"
import { MAIL_STATES } from "../kernel/money/retry-schedule"
import { INVOICE_STATES } from "../invoices/states"
import { INTERVAL_UNITS } from "../kernel/money/calendar"
import { RECEIPT_KINDS } from "../receipts/rules"

/**
 * What a customer owes, or has paid, for one period (contract 2.12). `number` counts without gaps within a merchant's
 * environment; a period has at most one invoice that is not void.
 */
export const GatewayInvoice = model
  .define("gateway_invoice", {
    id: model.id({ prefix: "inv" }).primaryKey(),
    uuid: model.text(),
    /** The end of its public address: whoever has it may see the invoice and pay it. The column has a default. */
    pay_token: model.text(),
    number: model.number(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    subscription_id: model.text(),
    customer_id: model.text(),
    /** The customer's lower-case address; a trigger sets it. */
    customer_email_key: model.text(),
    invoice_type: model.enum(["SUBSCRIPTION"]).default("SUBSCRIPTION"),
    status: model.enum([...INVOICE_STATES]).default("PENDING"),
    period: model.number(),
    period_start: model.dateTime(),
    period_end: model.dateTime(),
    amount_minor: model.number(),
    currency: model.text(),
    /** From here to `business_bin`: as it was when the invoice was issued (docs/decisions/12). */
    interval_count: model.number(),
    interval_unit: model.enum([...INTERVAL_UNITS]),
    plan_name: model.text().nullable(),
    plan_name_bn: model.text().nullable(),
    customer_name: model.text(),
    customer_email: model.text(),
    customer_phone: model.text().nullable(),
    /** In whose days its dates are written. */
    time_zone: model.text().default("Asia/Dhaka"),
    business_name: model.text(),
    business_name_bn: model.text().nullable(),
    business_legal_name: model.text().nullable(),
    business_address: model.text().nullable(),
    business_bin: model.text().nullable(),
    /** What it consists of (`InvoiceLine`); null: of the plan alone. */
    lines: model.json().nullable(),
    /** The subscription ends with its period. */
    is_last: model.boolean().default(false),
    due_date: model.dateTime(),
    /** 0 while it is valid, its own number once it is void. */
    revision: model.number().default(0),
    paid_at: model.dateTime().nullable(),
    voided_at: model.dateTime().nullable(),
    opened_at: model.dateTime(),
  })
  .indexes([
    { on: ["uuid"], unique: true },
    { on: ["pay_token"], unique: true },
    { on: ["merchant_id", "environment", "number"], unique: true },
    { on: ["merchant_id", "environment", "status", "number"] },
    { name: "IDX_gateway_invoice_newest", on: ["merchant_id", "environment", "created_at", "id"] },
    { on: ["customer_id", "number"] },
    { on: ["subscription_id", "period", "revision"], unique: true },
  ])
  .checks([
    {
      name: "gateway_invoice_state",
      expression: (c) =>
        `${c.amount_minor} >= 0 AND ${c.number} > 0 AND (${c.status} = 'PAID') = (${c.paid_at} IS NOT NULL)
         AND (${c.status} = 'VOID') = (${c.voided_at} IS NOT NULL)
         AND ${c.revision} = CASE WHEN ${c.status} = 'VOID' THEN ${c.number} ELSE 0 END`,
    },
  ])

/**
 * An e-mail about an unpaid invoice, planned when the invoice is issued. `due_at` is on the merchant's clock;
 * `next_attempt_at` is real time, and the end of the lease while a process is sending it. `attempts` fences: only the
 * process with the latest attempt may write its outcome. Unique by invoice, kind and step, so that no e-mail is planned
 * twice.
 */
export const GatewayInvoiceMail = model
  .define("gateway_invoice_mail", {
    id: model.id({ prefix: "gim" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    invoice_id: model.text(),
    kind: model.enum([...INVOICE_MAIL_KINDS]),
    step: model.number().default(0),
    state: model.enum([...MAIL_STATES]).default("pending"),
    due_at: model.dateTime(),
    next_attempt_at: model.dateTime(),
    attempts: model.number().default(0),
    sent_at: model.dateTime().nullable(),
    last_error: model.json().nullable(),
  })
  .indexes([
    { on: ["invoice_id", "kind", "step"], unique: true },
    { on: ["merchant_id", "environment", "due_at"], where: "state = 'pending'" },
  ])
  .checks([
    {
      name: "gateway_invoice_mail_state",
      expression: (c) => `${c.attempts} >= 0 AND ${c.step} >= 0 AND (${c.state} = 'sent') = (${c.sent_at} IS NOT NULL)`,
    },
  ])

/** The last invoice number used. It is taken in the invoice's own transaction, so that numbers have no gaps. */
export const GatewayInvoiceSeries = model
  .define("gateway_invoice_series", {
    id: model.id({ prefix: "ins" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    last_number: model.number().default(0),
  })
  .indexes([{ on: ["merchant_id", "environment"], unique: true }])

/**
 * The e-mail with the receipt of a successful payment or of a completed refund (docs/decisions/12). `step` 0 is
 * queued in the transaction of the money; each further one was asked for by an admin. `due_at` is on the merchant's
 * clock; `next_attempt_at` is real time, and the end of the lease while a process is sending it. `attempts` fences: only
 * the process with the latest attempt may write its outcome.
 */
export const GatewayReceipt = model
  .define("gateway_receipt", {
    id: model.id({ prefix: "rcp" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    kind: model.enum([...RECEIPT_KINDS]),
    transaction_id: model.text(),
    /** The transaction's id, or the refund's. */
    resource_id: model.text(),
    step: model.number().default(0),
    state: model.enum([...MAIL_STATES]).default("pending"),
    due_at: model.dateTime(),
    next_attempt_at: model.dateTime(),
    attempts: model.number().default(0),
    sent_at: model.dateTime().nullable(),
    last_error: model.json().nullable(),
  })
  .indexes([
    { on: ["resource_id", "step"], unique: true },
    { on: ["transaction_id"] },
    { on: ["merchant_id", "environment", "due_at"], where: "state = 'pending'" },
  ])
  .checks([
    {
      name: "gateway_receipt_state",
      expression: (c) => `${c.attempts} >= 0 AND ${c.step} >= 0 AND (${c.state} = 'sent') = (${c.sent_at} IS NOT NULL)`,
    },
  ])
