import { endpoint } from "../../../../../../v2-kit/endpoint"
import { presentBatch } from "../present"

/** How far a batch is. */
export const GET = endpoint(async ({ gateway, caller, params }) =>
  presentBatch(await gateway.refundBatches.retrieve(caller, params.batch_id))
)
