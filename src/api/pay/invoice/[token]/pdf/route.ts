import type { ServerResponse } from "node:http"
import { gatewayOf, type PageRequest } from "../../../../page-kit/request"
import { downloadInvoice } from "../../../flow/invoice"
import { answer, invoiceSubject } from "../../../http/respond"

export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answer(
    req,
    res,
    ({ sessionId: token, visitor }) => downloadInvoice(gatewayOf(req), { token, visitor }),
    invoiceSubject(req)
  )
}
