import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../../../../pay/http/gateway"
import { trustedForm } from "../../../../pay/http/respond"
import { removeMethod } from "../../../flow/act"
import { showRemove } from "../../../flow/show"
import { answerOwn } from "../../../http/respond"

/** The question whether to remove a payment method. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerOwn(req, res, (visit) => showRemove(gatewayOf(req.scope), visit, req.params.id))
}

export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerOwn(req, res, async (visit, request) => {
    await trustedForm(request)
    return removeMethod(gatewayOf(req.scope), visit, req.params.id)
  })
}
