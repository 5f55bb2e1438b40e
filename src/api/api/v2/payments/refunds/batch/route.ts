import { operation } from "../../../../../v2-kit/operation"
import { ACCEPTED, BATCH, REFUSED, batchSchema, readBatch, refundBatch } from "../resource"
import { presentBatch } from "./present"
import { short } from "../../../../../v2-kit/answers"

/** Up to a hundred refunds, each of which succeeds or fails on its own (contract 4.8; decisions: Refunds). */
export const POST = operation({
  id: "createRefundBatch",
  tag: "Refunds",
  summary: "Refund many payments",
  description: [
    "Up to a hundred at once. A malformed item refuses the whole batch and names its place. Otherwise each item succeeds",
    "or fails on its own, soon after the answer; until then it can be cancelled.",
  ].join(" "),
  scope: "refunds:write",
  service: "refunds",
  body: {
    name: "NewRefundBatch",
    schema: batchSchema,
    notes: { refunds: "What to refund, 1 to 100 items." },
    example: {
      refunds: [
        { transaction_id: ACCEPTED.transaction_id, refund_amount: "250.50", refund_reason: "Damaged parcel" },
        { transaction_id: REFUSED.transaction_id, refund_reason: "Order cancelled" },
      ],
    },
  },
  answer: short({ data: refundBatch, description: "The batch is accepted.", example: BATCH }),
  codes: ["MISSING_REQUIRED_FIELD"],
  run: async ({ gateway, caller, body, claim }) => {
    const items = readBatch(body)
    const idempotency_id = claim?.id ?? null
    return presentBatch(
      await gateway.refundBatches.create(caller, { items, requested_by: caller.key_id, by: caller, idempotency_id })
    )
  },
})
