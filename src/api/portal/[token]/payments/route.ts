import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../../../pay/http/gateway"
import { queryValue } from "../../../pay/http/visitor"
import { showPayments } from "../../flow/show"
import { answerOwn } from "../../http/respond"

export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerOwn(req, res, (visit) => showPayments(gatewayOf(req.scope), visit, queryValue(req, "page")))
}
