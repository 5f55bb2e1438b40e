import { endpoint } from "../../../../../v2-kit/endpoint"
import { readBatch } from "../schemas"
import { presentBatch } from "./present"

/** Up to a hundred refunds, each of which succeeds or fails on its own (contract 4.8; decisions: Refunds). */
export const POST = endpoint(async ({ gateway, caller, body, claim }) => {
  const items = readBatch(body)
  const idempotency_id = claim?.id ?? null
  return presentBatch(
    await gateway.refundBatches.create(caller, { items, requested_by: caller.key_id, by: caller, idempotency_id })
  )
})
