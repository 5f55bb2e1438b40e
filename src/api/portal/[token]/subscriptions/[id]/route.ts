import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../../../../pay/http/gateway"
import { trustedForm } from "../../../../pay/http/respond"
import { queryValue } from "../../../../pay/http/visitor"
import { changeSubscription } from "../../../flow/act"
import { noticeOf, showSubscription } from "../../../flow/show"
import { answerOwn } from "../../../http/respond"

export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerOwn(req, res, (visit) =>
    showSubscription(gatewayOf(req.scope), visit, req.params.id, { notice: noticeOf(queryValue(req, "done")) })
  )
}

/** Pauses, resumes, or changes the payment method: the button's `action`. */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerOwn(req, res, async (visit, request) =>
    changeSubscription(gatewayOf(req.scope), visit, req.params.id, await trustedForm(request))
  )
}
