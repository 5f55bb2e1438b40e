import { model } from "@medusajs/framework/utils"

/**
 * The id of each posting in the ledger, once: its key lets nothing be posted twice. Its `created_at` is that of the
 * entries, and finds them in their partition. A trigger writes it.
 */
export const GatewayLedgerPosting = model.define("gateway_ledger_posting", {
  id: model.id({ prefix: "glp" }).primaryKey(),
})
