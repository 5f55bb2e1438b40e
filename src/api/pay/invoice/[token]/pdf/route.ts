import { INVOICE_TOKEN } from "../../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page } from "../../../../page-kit/request"
import { downloadInvoice } from "../../../flow/invoice"
import { answer, invoiceSubject } from "../../../http/respond"

export const GET = page({ token: INVOICE_TOKEN }, async (req, res) => {
  await answer(
    req,
    res,
    ({ sessionId: token, visitor }) => downloadInvoice(gatewayOf(req), { token, visitor }),
    invoiceSubject(req)
  )
})
