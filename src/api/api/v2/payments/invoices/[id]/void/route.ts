import { invoiceData } from "../../../../../../../modules/gateway/domain/invoice"
import { endpoint } from "../../../../../../contract/endpoint"
import { bare } from "../../../../../../contract/envelopes"

/** Calls an open invoice back; its number stays used. */
export const POST = endpoint(async ({ gateway, caller, params, publicUrl }) =>
  bare(invoiceData(await gateway.invoices.void(caller, params.id), publicUrl))
)
