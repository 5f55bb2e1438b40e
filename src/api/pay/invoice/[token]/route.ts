import { INVOICE_TOKEN } from "../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page, queryValue } from "../../../page-kit/request"
import { payInvoice, showInvoice } from "../../flow/invoice"
import { answer, invoiceSubject, trustedForm } from "../../http/respond"

const PARAMS = { token: INVOICE_TOKEN }

/** An invoice's public page; a payment made from it returns here. */
export const GET = page(PARAMS, async (req, res) => {
  await answer(
    req,
    res,
    ({ sessionId: token, visitor }) => showInvoice(gatewayOf(req), { token, visitor }, queryValue(req, "status")),
    invoiceSubject(req)
  )
})

/** The Pay button. */
export const POST = page(PARAMS, async (req, res) => {
  await answer(
    req,
    res,
    async (request) => {
      await trustedForm(request)
      return payInvoice(gatewayOf(req), { token: request.sessionId, visitor: request.visitor })
    },
    invoiceSubject(req)
  )
})
