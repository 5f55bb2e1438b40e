import { model } from "@medusajs/framework/utils"
import { RECEIPT_KINDS, RECEIPT_STATES } from "../receipts/states"

/**
 * The e-mail with the receipt of a successful payment or of a completed refund (docs/decisions/0056). `step` 0 is
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
    state: model.enum([...RECEIPT_STATES]).default("pending"),
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
