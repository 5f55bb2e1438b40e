import { invoiceData } from "../../../../../../../modules/gateway/domain/invoice"
import { endpoint } from "../../../../../../contract/endpoint"
import { bare } from "../../../../../../contract/envelopes"

/** The invoice of the period that is open (contract 4.6); its e-mail with the payment link follows by itself. */
export const POST = endpoint(async ({ gateway, caller, params, publicUrl }) =>
  bare(invoiceData(await gateway.invoices.generate(caller, params.subscription_id), publicUrl))
)
