import type { ServerResponse } from "node:http"
import { gatewayOf, queryValue, type PageRequest } from "../../../page-kit/request"
import { payInvoice, showInvoice } from "../../flow/invoice"
import { answer, invoiceSubject, trustedForm } from "../../http/respond"

/** An invoice's public page; a payment made from it returns here. */
export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answer(
    req,
    res,
    ({ sessionId: token, visitor }) => showInvoice(gatewayOf(req), { token, visitor }, queryValue(req, "status")),
    invoiceSubject(req)
  )
}

/** The Pay button. */
export async function POST(req: PageRequest, res: ServerResponse): Promise<void> {
  await answer(
    req,
    res,
    async (request) => {
      await trustedForm(request)
      return payInvoice(gatewayOf(req), { token: request.sessionId, visitor: request.visitor })
    },
    invoiceSubject(req)
  )
}
