import { invoiceId } from "../../../../../../modules/gateway/invoices/rules"
import { readLanguage } from "../../../../../api/v2/payments/invoices/resource"
import { publicUrlOf } from "../../../../../v2-kit/target"
import { tenantFileEndpoint } from "../../../../../admin-kit/endpoint"

/** The invoice as a PDF; `lang=bn` in Bangla. */
export const GET = tenantFileEndpoint(async ({ gateway, tenant, params, query, request }) => {
  const { lang } = query
  const reader = { language: readLanguage({ lang }), publicUrl: publicUrlOf(gateway, request) }
  const invoice = await gateway.invoices.retrieve(tenant, params.id)
  const content = await gateway.invoices.pdf(invoice, reader)
  return { content, type: "application/pdf", file: `${invoiceId(invoice.number)}.pdf` }
})
