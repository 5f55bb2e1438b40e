import { endpoint } from "../../../../v2-kit/endpoint"
import { presentCreated } from "./present"
import { readRefund } from "./schemas"

/** Gives money back (contract 4.8). A request whose answer was lost finds its refund by its idempotency record. */
export const POST = endpoint(async ({ gateway, caller, body, claim }) => {
  const refund = await gateway.refunds.create({
    ...readRefund(body),
    tenant: caller,
    requested_by: caller.key_id,
    request_key: claim === null ? null : `api:${claim.id}`,
    subject_to_approval: true,
  })
  return presentCreated(refund)
})
