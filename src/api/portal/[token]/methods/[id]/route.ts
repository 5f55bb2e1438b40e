import type { ServerResponse } from "node:http"
import { gatewayOf, type PageRequest } from "../../../../page-kit/request"
import { trustedForm } from "../../../../pay/http/respond"
import { removeMethod } from "../../../flow/act"
import { showRemove } from "../../../flow/show"
import { answerOwn } from "../../../http"

/** The question whether to remove a payment method. */
export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerOwn(req, res, (visit) => showRemove(gatewayOf(req), visit, req.gatewayPage.params.id))
}

export async function POST(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerOwn(req, res, async (visit, request) => {
    await trustedForm(request)
    return removeMethod(gatewayOf(req), visit, req.gatewayPage.params.id)
  })
}
