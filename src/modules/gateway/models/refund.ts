import { model } from "@medusajs/framework/utils"
import { REFUND_HOLDS, REFUND_TYPES } from "../refunds/rules"
import { REFUND_STATES } from "../refunds/states"

/**
 * Money on its way back to the shopper. The acquirer knows the refund by its id. `requested_at` is on the merchant's
 * clock. `held_for` says why it started pending; the lease belongs to the worker that processes its batch.
 */
export const GatewayRefund = model
  .define("gateway_refund", {
    id: model.id({ prefix: "rfd" }).primaryKey(),
    transaction_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    state: model.enum([...REFUND_STATES]).default("pending"),
    type: model.enum([...REFUND_TYPES]).default("full"),
    amount_minor: model.number(),
    currency: model.text(),
    reason: model.text(),
    metadata: model.json().nullable(),
    notify_customer: model.boolean().default(false),
    requested_by: model.text(),
    requested_at: model.dateTime(),
    request_key: model.text().nullable(),
    held_for: model.enum([...REFUND_HOLDS]).nullable(),
    reviewed_by: model.text().nullable(),
    review_note: model.text().nullable(),
    batch_id: model.text().nullable(),
    batch_position: model.number().nullable(),
    lock_token: model.text().nullable(),
    locked_until: model.dateTime().nullable(),
    acquirer_reference: model.text().nullable(),
    /** The acquirer's own ids of it. */
    acquirer_ids: model.json(),
    /** What the acquirer reports instead of the requested amount (payments/acquirers/amount-mismatch.ts). */
    amount_mismatch: model.json().nullable(),
    error_code: model.text().nullable(),
    error_message: model.text().nullable(),
    inquiry_at: model.dateTime().nullable(),
    inquiry_count: model.number().default(0),
    /** The acquirer does not know what became of it: somebody has to look at its dashboard. */
    operator_since: model.dateTime().nullable(),
    completed_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["transaction_id"] },
    { on: ["transaction_id", "request_key"], unique: true, where: "request_key IS NOT NULL" },
    { on: ["inquiry_at"], where: "state = 'processing'" },
    { on: ["merchant_id", "environment", "requested_at", "id"] },
    {
      name: "IDX_gateway_refund_list_by_state",
      on: ["merchant_id", "environment", "state", "requested_at", "id"],
      where: "state <> 'completed'",
    },
    { on: ["batch_id", "batch_position"], unique: true, where: "batch_id IS NOT NULL" },
    {
      name: "IDX_gateway_refund_mismatched",
      on: ["merchant_id", "environment"],
      where: "state = 'processing' AND amount_mismatch IS NOT NULL",
    },
    {
      name: "IDX_gateway_refund_unresolved",
      on: ["merchant_id", "environment"],
      where: "state = 'processing' AND operator_since IS NOT NULL",
    },
    { on: ["requested_at"], where: "state = 'pending'" },
  ])
  .checks([{ name: "gateway_refund_amount", expression: (c) => `${c.amount_minor} > 0` }])
