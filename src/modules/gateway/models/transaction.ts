import { model } from "@medusajs/framework/utils"
import { TRANSACTION_STATES } from "../payments/states"

const TENANT = ["merchant_id", "environment"] as const

/**
 * The money of one checkout session. `expires_at` copies the session's, so that one index serves the expiry queue.
 * `attempts` counts the tries to pay it, `attempt_id` is the last one: while PROCESSING only that one may settle it.
 */
export const GatewayTransaction = model
  .define("gateway_transaction", {
    id: model.id({ prefix: "txn" }).primaryKey(),
    session_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    order_id: model.text(),
    state: model.enum([...TRANSACTION_STATES]).default("OPEN"),
    currency: model.text(),
    amount_minor: model.number(),
    charge_minor: model.number().default(0),
    refunded_minor: model.number().default(0),
    /** What disputes have taken that are open or lost: no refund may take it too. */
    disputed_minor: model.number().default(0),
    payment_method: model.text().nullable(),
    payment_service: model.text().nullable(),
    instrument: model.json().nullable(),
    /** The acquirer's token for automatic charges, encrypted (kernel/sealed-columns.ts), until it becomes a customer's instrument. */
    kept_instrument: model.json().nullable(),
    acquirer: model.text().nullable(),
    acquirer_reference: model.text().nullable(),
    /** What the acquirer reports instead of the requested amount (payments/acquirers/amount-mismatch.ts). */
    amount_mismatch: model.json().nullable(),
    error_code: model.text().nullable(),
    error_message: model.text().nullable(),
    attempts: model.number().default(0),
    attempt_id: model.text().nullable(),
    /** The payment link that it pays, if any: a link has one payment that is open or has taken money. */
    link_id: model.text().nullable(),
    /** When the money of a verification is given back (real time, docs/decisions/0058); null: nothing is due. */
    return_due_at: model.dateTime().nullable(),
    /** How often giving it back has failed. With that and nothing due, an admin has to do it. */
    return_count: model.number().default(0),
    expires_at: model.dateTime(),
    verified_at: model.dateTime().nullable(),
    finished_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["session_id"], unique: true },
    {
      on: ["link_id"],
      unique: true,
      where: "link_id IS NOT NULL AND state NOT IN ('FAILED', 'CANCELLED', 'EXPIRED')",
    },
    { on: ["return_due_at"], where: "return_due_at IS NOT NULL" },
    {
      name: "IDX_gateway_transaction_unreturned",
      on: [...TENANT],
      where: "state = 'SUCCESS' AND return_count > 0 AND return_due_at IS NULL",
    },
    { on: ["expires_at"], where: "state = 'OPEN'" },
    { on: ["acquirer", "acquirer_reference"], unique: true, where: "acquirer_reference IS NOT NULL" },
    {
      name: "IDX_gateway_transaction_mismatched",
      on: [...TENANT],
      where: "state = 'PROCESSING' AND amount_mismatch IS NOT NULL",
    },
    // The sort orders and filters of the admin's list: each walks one index at any number of rows.
    { name: "IDX_gateway_transaction_newest", on: [...TENANT, "created_at", "id"] },
    { name: "IDX_gateway_transaction_by_state", on: [...TENANT, "state", "created_at", "id"] },
    {
      name: "IDX_gateway_transaction_by_service",
      on: [...TENANT, "payment_service", "created_at", "id"],
      where: "payment_service IS NOT NULL",
    },
    { name: "IDX_gateway_transaction_by_amount", on: [...TENANT, "amount_minor", "id"] },
  ])
  .checks([
    {
      name: "gateway_transaction_sums",
      expression: (c) =>
        `${c.amount_minor} > 0 AND ${c.charge_minor} >= 0 AND ${c.refunded_minor} BETWEEN 0 AND ${c.amount_minor} AND ${c.disputed_minor} >= 0`,
    },
    {
      name: "gateway_transaction_verified",
      expression: (c) =>
        `(${c.state} IN ('SUCCESS', 'REFUNDED')) = (${c.verified_at} IS NOT NULL AND ${c.acquirer_reference} IS NOT NULL)`,
    },
  ])
