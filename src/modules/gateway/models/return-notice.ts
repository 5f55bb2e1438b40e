import { model } from "@medusajs/framework/utils"
import { PROPOSAL_KINDS } from "../refunds/proposals/rules"

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
