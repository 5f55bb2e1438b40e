import { invoiceId } from "../../../../../../../modules/gateway/invoices/rules"
import { operation } from "../../../../../../v2-kit/operation"
import { limitDrawnPdfs } from "../../../../../../v2-kit/rate-limit"
import { languageSchema, parameters, readLanguage } from "../../resource"
import { download } from "../../../../../../v2-kit/answers"

/** The invoice as a PDF; `?lang=bn` in Bangla. */
export const GET = operation({
  id: "downloadInvoice",
  tag: "Invoices",
  summary: "Download an invoice as PDF",
  description:
    "A merchant may have 60 drawn per minute; an unchanged one that was drawn lately does not count. Beyond that: 429 with `Retry-After`.",
  scope: "subscriptions:read",
  service: "subscriptions",
  parameters,
  query: { schema: languageSchema, notes: { lang: "The language of the page." } },
  answer: download("application/pdf", "The file."),
  codes: ["INVOICE_NOT_FOUND"],
  run: async ({ gateway, caller, params, query, publicUrl }) => {
    const language = readLanguage(query)
    const invoice = await gateway.invoices.retrieve(caller, params.id)
    const bytes = await gateway.invoices.pdf(invoice, { language, publicUrl }, () => limitDrawnPdfs(gateway, caller))
    return { name: `${invoiceId(invoice.number)}.pdf`, bytes }
  },
})
