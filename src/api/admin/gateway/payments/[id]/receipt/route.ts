import { receiptFile, sendReceipt } from "../../../../../admin-kit/present"
import { tenantEndpoint, tenantFileEndpoint } from "../../../../../admin-kit/endpoint"

/** The receipt of a payment as PDF; `lang=bn` in Bangla. */
export const GET = tenantFileEndpoint((context) =>
  receiptFile(context, { transaction_id: context.params.id, refund_id: null })
)

/** Sends it to the customer again. */
export const POST = tenantEndpoint((context) =>
  sendReceipt(context, { transaction_id: context.params.id, refund_id: null })
)
