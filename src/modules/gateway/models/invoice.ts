import { model } from "@medusajs/framework/utils"
import { INVOICE_STATES } from "../invoices/states"
import { INTERVAL_UNITS } from "../kernel/calendar"

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
    /** From here to `business_bin`: as it was when the invoice was issued (docs/decisions/0019). */
    interval_count: model.number(),
    interval_unit: model.enum([...INTERVAL_UNITS]),
    plan_name: model.text().nullable(),
    plan_name_bn: model.text().nullable(),
    customer_phone: model.text().nullable(),
    business_name: model.text(),
    business_legal_name: model.text().nullable(),
    business_address: model.text().nullable(),
    business_bin: model.text().nullable(),
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
        `${c.amount_minor} > 0 AND ${c.number} > 0 AND (${c.status} = 'PAID') = (${c.paid_at} IS NOT NULL)
         AND (${c.status} = 'VOID') = (${c.voided_at} IS NOT NULL)
         AND ${c.revision} = CASE WHEN ${c.status} = 'VOID' THEN ${c.number} ELSE 0 END`,
    },
  ])
