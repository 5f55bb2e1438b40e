import { invoiceId } from "../../../../../../../modules/gateway/domain/invoice"
import { endpoint } from "../../../../../../contract/endpoint"
import { download } from "../../../../../../contract/envelopes"
import { readLanguage } from "../../schemas"

/** The invoice as paper; `?lang=bn` in Bangla. */
export const GET = endpoint(async ({ gateway, caller, params, request, publicUrl }) => {
  const language = readLanguage(request.query)
  const invoice = await gateway.invoices.retrieve(caller, params.id)
  const bytes = await gateway.invoices.pdf(invoice, { language, publicUrl })
  return download({ name: `${invoiceId(invoice.number)}.pdf`, type: "application/pdf", bytes })
})
