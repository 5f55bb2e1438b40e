import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../../../../../pay/http/gateway"
import { downloadPdf } from "../../../../flow/show"
import { answerOwn } from "../../../../http/respond"

export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerOwn(req, res, (visit) => downloadPdf(gatewayOf(req.scope), visit, req.params.id))
}
