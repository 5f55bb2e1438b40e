import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../../../../../pay/http/gateway"
import { trustedForm } from "../../../../../pay/http/respond"
import { cancelSubscription } from "../../../../flow/act"
import { showCancel } from "../../../../flow/show"
import { answerOwn } from "../../../../http/respond"

/** The question whether to cancel. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerOwn(req, res, (visit) => showCancel(gatewayOf(req.scope), visit, req.params.id))
}

export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerOwn(req, res, async (visit, request) => {
    await trustedForm(request)
    return cancelSubscription(gatewayOf(req.scope), visit, req.params.id)
  })
}
