import { receiptFile, sendReceipt } from "../../../../../admin-kit/present"
import { tenantEndpoint, tenantFileEndpoint, type TenantContext } from "../../../../../admin-kit/endpoint"

/** Throws REFUND_NOT_FOUND. */
async function receiptOf({ gateway, tenant, params }: TenantContext) {
  const { id, transaction_id } = await gateway.refunds.retrieve(params.id, tenant)
  return { transaction_id, refund_id: id }
}

/** The receipt of a refund as PDF; `lang=bn` in Bangla. */
export const GET = tenantFileEndpoint(async (context) => receiptFile(context, await receiptOf(context)))

/** Sends it to the customer again. */
export const POST = tenantEndpoint(async (context) => sendReceipt(context, await receiptOf(context)))
