import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentBatch } from "../resource"

/** The progress of a batch, refund by refund. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  refund_batch: presentBatch(await gateway.refundBatches.retrieve(tenant, params.id)),
}))
