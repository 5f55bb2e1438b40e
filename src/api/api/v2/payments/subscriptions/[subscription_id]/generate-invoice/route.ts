import { invoiceData } from "../../../../../../../modules/gateway/invoices/rules"
import { endpoint } from "../../../../../../v2-kit/endpoint"
import { bare } from "../../../../../../v2-kit/envelopes"

/** The invoice of the open period (contract 4.6); its e-mail with the payment link is sent automatically. */
export const POST = endpoint(async ({ gateway, caller, params, publicUrl }) =>
  bare(invoiceData(await gateway.invoices.generate(caller, params.subscription_id), publicUrl))
)
