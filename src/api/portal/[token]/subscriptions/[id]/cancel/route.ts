import type { ServerResponse } from "node:http"
import { gatewayOf, type PageRequest } from "../../../../../page-kit/request"
import { trustedForm } from "../../../../../pay/http/respond"
import { cancelSubscription } from "../../../../flow/act"
import { showCancel } from "../../../../flow/show"
import { answerOwn } from "../../../../http"

/** The question whether to cancel. */
export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerOwn(req, res, (visit) => showCancel(gatewayOf(req), visit, req.gatewayPage.params.id))
}

export async function POST(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerOwn(req, res, async (visit, request) => {
    await trustedForm(request)
    return cancelSubscription(gatewayOf(req), visit, req.gatewayPage.params.id)
  })
}
