import { invoiceId } from "../../../../../../../modules/gateway/invoices/rules"
import { endpoint } from "../../../../../../v2-kit/endpoint"
import { download } from "../../../../../../v2-kit/envelopes"
import { limitDrawnPdfs } from "../../../../../../v2-kit/rate-limit"
import { readLanguage } from "../../schemas"

/** The invoice as a PDF; `?lang=bn` in Bangla. */
export const GET = endpoint(async ({ gateway, caller, params, query, publicUrl }) => {
  const language = readLanguage(query)
  const invoice = await gateway.invoices.retrieve(caller, params.id)
  const bytes = await gateway.invoices.pdf(invoice, { language, publicUrl }, () => limitDrawnPdfs(gateway, caller))
  return download({ name: `${invoiceId(invoice.number)}.pdf`, type: "application/pdf", bytes })
})
