import { endpoint } from "../../../../v2-kit/endpoint"
import { presentCreated } from "./present"
import { readRefund } from "./schemas"

/** Creates a refund (contract 4.8). A request whose response was lost finds its refund by its idempotency record. */
export const POST = endpoint(async ({ gateway, caller, body, claim }) => {
  const refund = await gateway.refunds.create({
    ...readRefund(body),
    tenant: caller,
    requested_by: caller.key_id,
    by: caller,
    request_key: claim === null ? null : `api:${claim.id}`,
    subject_to_approval: true,
  })
  return presentCreated(refund)
})
