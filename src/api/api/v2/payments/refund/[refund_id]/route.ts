import { endpoint } from "../../../../../v2-kit/endpoint"
import { presentStatus } from "../present"

export const GET = endpoint(async ({ gateway, caller, params }) =>
  presentStatus(await gateway.refunds.retrieve(params.refund_id, caller))
)
