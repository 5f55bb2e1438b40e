import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { downloadInvoice } from "../../../flow/invoice"
import { gatewayOf } from "../../../http/gateway"
import { answer, invoiceSubject } from "../../../http/respond"

export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(
    req,
    res,
    ({ sessionId: token, visitor }) => downloadInvoice(gatewayOf(req.scope), { token, visitor }),
    invoiceSubject(req)
  )
}
