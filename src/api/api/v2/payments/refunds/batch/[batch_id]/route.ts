import { endpoint } from "../../../../../../v2-kit/endpoint"
import { presentBatch } from "../present"

/** The progress of a batch. */
export const GET = endpoint(async ({ gateway, caller, params }) =>
  presentBatch(await gateway.refundBatches.retrieve(caller, params.batch_id))
)
