import { model } from "@medusajs/framework/utils"
import { INVOICE_MAIL_KINDS, INVOICE_MAIL_STATES } from "../invoices/mail-rules"

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
    state: model.enum([...INVOICE_MAIL_STATES]).default("pending"),
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
