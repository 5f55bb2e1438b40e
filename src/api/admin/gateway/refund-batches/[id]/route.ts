import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentBatch, withPayments } from "../resource"

/** The progress of a batch, refund by refund, with the order and the customer of each. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => {
  const batch = presentBatch(await gateway.refundBatches.retrieve(tenant, params.id))
  return { refund_batch: { ...batch, refunds: await withPayments(gateway, batch.refunds) } }
})
