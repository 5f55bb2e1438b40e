import { endpoint } from "../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../v2-kit/envelopes"
import { presentDispute } from "../present"

export const GET = endpoint(async ({ gateway, caller, params }) => {
  return envelope("Dispute", presentDispute(await gateway.disputeList.one(caller, params.dispute_id)))
})
