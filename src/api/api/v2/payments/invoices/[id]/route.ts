import { invoiceData } from "../../../../../../modules/gateway/invoices/rules"
import { endpoint } from "../../../../../v2-kit/endpoint"
import { bare } from "../../../../../v2-kit/envelopes"

/** By its invoice_id or uuid. */
export const GET = endpoint(async ({ gateway, caller, params, publicUrl }) =>
  bare(invoiceData(await gateway.invoices.retrieve(caller, params.id), publicUrl))
)
