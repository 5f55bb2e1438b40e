import type { ServerResponse } from "node:http"
import { gatewayOf, queryValue, type PageRequest } from "../../../../page-kit/request"
import { trustedForm } from "../../../../pay/http/respond"
import { changeSubscription } from "../../../flow/act"
import { noticeOf, showSubscription } from "../../../flow/show"
import { answerOwn } from "../../../http"

export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerOwn(req, res, (visit) =>
    showSubscription(gatewayOf(req), visit, req.gatewayPage.params.id, { notice: noticeOf(queryValue(req, "done")) })
  )
}

/** Pauses, resumes, or changes the payment method: the button's `action`. */
export async function POST(req: PageRequest, res: ServerResponse): Promise<void> {
  await answerOwn(req, res, async (visit, request) =>
    changeSubscription(gatewayOf(req), visit, req.gatewayPage.params.id, await trustedForm(request))
  )
}
