import { invoiceData } from "../../../../../../../modules/gateway/invoices/rules"
import { endpoint } from "../../../../../../v2-kit/endpoint"
import { bare } from "../../../../../../v2-kit/envelopes"
import { repeatable } from "../../../../../../v2-kit/idempotency"

/** Voids an open invoice; its number is not used again. */
export const POST = endpoint(async (context) => {
  const { gateway, params, publicUrl } = context
  return bare(invoiceData(await gateway.invoices.void(repeatable(context), params.id), publicUrl))
})
