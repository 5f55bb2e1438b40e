import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { payInvoice, showInvoice } from "../../flow/invoice"
import { gatewayOf } from "../../http/gateway"
import { answer, invoiceSubject, trustedForm } from "../../http/respond"
import { queryValue } from "../../http/visitor"

/** An invoice's public page; a payment made from it returns here. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(
    req,
    res,
    ({ sessionId: token, visitor }) => showInvoice(gatewayOf(req.scope), { token, visitor }, queryValue(req, "status")),
    invoiceSubject(req)
  )
}

/** The Pay button. */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(
    req,
    res,
    async (request) => {
      await trustedForm(request)
      return payInvoice(gatewayOf(req.scope), { token: request.sessionId, visitor: request.visitor })
    },
    invoiceSubject(req)
  )
}
