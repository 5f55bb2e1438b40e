import { GatewayError } from "../../../../../../../../modules/gateway/kernel/errors"
import { LANGUAGES } from "../../../../../../../../i18n/languages"
import { publicUrlOf } from "../../../../../../../v2-kit/target"
import { limitShopperPdfs } from "../../../../../../../v2-kit/rate-limit"
import { ownFile } from "../../../../resource"

/** An invoice of the shopper's own subscription as PDF, in English or Bangla (`?lang=bn`). */
export const GET = ownFile(async ({ gateway, owner, row, request, query }) => {
  const invoice = await gateway.invoices.retrieve(owner, request.params.invoice_id)
  if (invoice.subscription_id !== row.id) {
    throw new GatewayError("INVOICE_NOT_FOUND")
  }
  const language = LANGUAGES.find((known) => known === query.lang) ?? LANGUAGES[0]
  const reader = { language, publicUrl: publicUrlOf(gateway, request) }
  const name = `${gateway.invoices.document(invoice, reader).number}.pdf`
  const bytes = await gateway.invoices.pdf(invoice, reader, () => limitShopperPdfs(gateway, owner))
  return { name, type: "application/pdf", bytes }
})
