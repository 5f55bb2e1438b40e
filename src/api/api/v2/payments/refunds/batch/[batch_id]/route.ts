import { operation } from "../../../../../../v2-kit/operation"
import { presentBatch } from "../present"
import { BATCH, refundBatch } from "../../resource"
import { short } from "../../../../../../v2-kit/answers"

/** The progress of a batch. */
export const GET = operation({
  id: "getRefundBatch",
  tag: "Refunds",
  summary: "Get a batch of refunds",
  scope: "refunds:read",
  service: "refunds",
  answer: short({ data: refundBatch, description: "The batch as it is now.", example: BATCH }),
  codes: ["REFUND_BATCH_NOT_FOUND"],
  run: async ({ gateway, caller, params }) =>
    presentBatch(await gateway.refundBatches.retrieve(caller, params.batch_id)),
})
