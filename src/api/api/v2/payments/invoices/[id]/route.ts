import { invoiceData } from "../../../../../../modules/gateway/domain/invoice"
import { endpoint } from "../../../../../contract/endpoint"
import { bare } from "../../../../../contract/envelopes"

/** By its invoice_id or uuid. */
export const GET = endpoint(async ({ gateway, caller, params, publicUrl }) =>
  bare(invoiceData(await gateway.invoices.retrieve(caller, params.id), publicUrl))
)
