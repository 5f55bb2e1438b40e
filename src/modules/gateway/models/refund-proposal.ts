import { model } from "@medusajs/framework/utils"
import { PROPOSAL_KINDS } from "../refunds/proposals/rules"
import { PROPOSAL_STATES } from "../refunds/proposals/states"

/**
 * A refund that something in the store asks for. `source_id` is what it comes from (Medusa's order change, or the
 * order), once. `goods_minor` is owed by the order's own count, `beyond_minor` is not: delivery, claims. `items` is
 * `[{ item_id, title, quantity, damaged, amount_minor }]`, `history` `[{ at, what }]`.
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
    { on: ["kind", "source_id"], unique: true },
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
