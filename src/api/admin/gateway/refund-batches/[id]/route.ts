import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentBatch } from "../present"

/** How far a batch is, refund by refund. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  refund_batch: presentBatch(await gateway.refundBatches.retrieve(tenant, params.id)),
}))
