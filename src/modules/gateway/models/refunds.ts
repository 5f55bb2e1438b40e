import { model } from "@medusajs/framework/utils"
import { ORDER_REFUND_STATES } from "../refunds/orders/states"
import { PROPOSAL_KINDS } from "../refunds/proposals/rules"
import { PROPOSAL_STATES } from "../refunds/proposals/states"
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
    /** What the acquirer reports instead of the requested amount (acquirers/amount-mismatch.ts). */
    amount_mismatch: model.json().nullable(),
    error_code: model.text().nullable(),
    error_message: model.text().nullable(),
    inquiry_at: model.dateTime().nullable(),
    inquiry_count: model.number().default(0),
    /** The acquirer does not know what became of it: somebody has to look at its dashboard. */
    operator_since: model.dateTime().nullable(),
    completed_at: model.dateTime().nullable(),
    /** An admin has seen to it that it failed, with another refund or outside of the gateway. */
    dealt_with_at: model.dateTime().nullable(),
    dealt_with_by: model.text().nullable(),
    dealt_with_note: model.text().nullable(),
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
    { on: ["acquirer_reference"], where: "acquirer_reference IS NOT NULL" },
  ])
  .checks([{ name: "gateway_refund_amount", expression: (c) => `${c.amount_minor} > 0` }])

/**
 * Refunds asked for together (contract 4.8). Those that were accepted are rows of gateway_refund; `refused` keeps the
 * others: `[{ position, transaction_id, code, message }]`. `idempotency_id` finds the batch of a request whose answer
 * was lost.
 */
export const GatewayRefundBatch = model
  .define("gateway_refund_batch", {
    id: model.id({ prefix: "rfb" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    total: model.number(),
    refused: model.json(),
    requested_by: model.text(),
    requested_at: model.dateTime(),
    idempotency_id: model.text().nullable(),
  })
  .indexes([{ on: ["idempotency_id"], unique: true, where: "idempotency_id IS NOT NULL" }])

/**
 * A refund that something in the store asks for. `source_id` is what it comes from (Medusa's order change, the order, or
 * a payment of its balance), once for each payment that it is given back of. `goods_minor` is owed by the order's own
 * count, `beyond_minor` is not: delivery, claims. `items` is `[{ item_id, title, quantity, damaged, amount_minor }]`,
 * `history` `[{ at, what }]`.
 */
export const GatewayRefundProposal = model
  .define("gateway_refund_proposal", {
    id: model.id({ prefix: "grp" }).primaryKey(),
    transaction_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    order_id: model.text(),
    kind: model.enum([...PROPOSAL_KINDS]),
    source_id: model.text(),
    return_id: model.text().nullable(),
    claim_id: model.text().nullable(),
    state: model.enum([...PROPOSAL_STATES]).default("open"),
    currency: model.text(),
    items: model.json(),
    goods_minor: model.number(),
    beyond_minor: model.number(),
    shipping_minor: model.number(),
    amount_minor: model.number(),
    /** What is refunded of it, once confirmed. */
    confirmed_minor: model.number().nullable(),
    confirmed_by: model.text().nullable(),
    confirmed_at: model.dateTime().nullable(),
    /** How many refunds were asked for: each has a key of its own. */
    tries: model.number().default(0),
    refund_id: model.text().nullable(),
    last_error: model.json().nullable(),
    history: model.json(),
  })
  .indexes([
    {
      name: "IDX_gateway_refund_proposal_source_unique",
      on: ["kind", "source_id", "transaction_id"],
      unique: true,
    },
    { on: ["refund_id"], unique: true, where: "refund_id IS NOT NULL" },
    { on: ["order_id"] },
    { on: ["transaction_id"] },
    { name: "IDX_gateway_refund_proposal_list", on: ["merchant_id", "environment", "created_at", "id"] },
    {
      name: "IDX_gateway_refund_proposal_open",
      on: ["merchant_id", "environment", "created_at"],
      where: "state = 'open'",
    },
  ])
  .checks([
    {
      name: "gateway_refund_proposal_refund",
      expression: (c) => `${c.state} <> 'confirmed' OR ${c.refund_id} IS NOT NULL`,
    },
    {
      name: "gateway_refund_proposal_sums",
      expression: (c) =>
        `${c.amount_minor} > 0 AND ${c.amount_minor} <= ${c.goods_minor} + ${c.beyond_minor} AND ${c.shipping_minor} BETWEEN 0 AND ${c.beyond_minor} AND ${c.confirmed_minor} BETWEEN 1 AND ${c.amount_minor}`,
    },
  ])

/**
 * A refund of a cart's payment and the Medusa refund that shows it on the order; `origin` says which was there first.
 * `credit_minor` is what the order's total falls by, decided once. `history` is for an admin: `[{ at, what }]`.
 */
export const GatewayOrderRefund = model
  .define("gateway_order_refund", {
    id: model.id({ prefix: "gor" }).primaryKey(),
    refund_id: model.text(),
    transaction_id: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    origin: model.enum(["gateway", "medusa"]),
    state: model.enum([...ORDER_REFUND_STATES]).default("waiting"),
    medusa_refund_id: model.text().nullable(),
    order_id: model.text().nullable(),
    credit_minor: model.number().nullable(),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    /** How often the refund has changed: work that was done for an older change does not settle a newer one. */
    revision: model.number().default(0),
    lock_token: model.text().nullable(),
    locked_until: model.dateTime().nullable(),
    last_error: model.json().nullable(),
    history: model.json(),
  })
  .indexes([
    { on: ["refund_id"], unique: true },
    { on: ["medusa_refund_id"], unique: true, where: "medusa_refund_id IS NOT NULL" },
    { on: ["transaction_id"] },
    { on: ["order_id"], where: "order_id IS NOT NULL" },
    { on: ["next_attempt_at"], where: "next_attempt_at IS NOT NULL" },
  ])

/**
 * Something in the store that may ask for a refund. Recorded once and processed at least once, because Medusa does not
 * store its events. `changed_at` is when it happened; the latest says from where the next sweep looks.
 */
export const GatewayReturnNotice = model
  .define("gateway_return_notice", {
    id: model.id({ prefix: "grn" }).primaryKey(),
    kind: model.enum([...PROPOSAL_KINDS]),
    source_id: model.text(),
    order_id: model.text(),
    changed_at: model.dateTime(),
    outcome: model.text().nullable(),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    lock_token: model.text().nullable(),
    locked_until: model.dateTime().nullable(),
    last_error: model.json().nullable(),
  })
  .indexes([
    { on: ["kind", "source_id"], unique: true },
    { on: ["kind", "changed_at"] },
    { on: ["next_attempt_at"], where: "next_attempt_at IS NOT NULL" },
  ])
