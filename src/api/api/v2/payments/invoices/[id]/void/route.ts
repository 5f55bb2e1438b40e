import { invoiceData } from "../../../../../../../modules/gateway/invoices/rules"
import { endpoint } from "../../../../../../v2-kit/endpoint"
import { bare } from "../../../../../../v2-kit/envelopes"

/** Voids an open invoice; its number is not used again. */
export const POST = endpoint(async ({ gateway, caller, params, publicUrl }) =>
  bare(invoiceData(await gateway.invoices.void(caller, params.id), publicUrl))
)
