import { PORTAL_TOKEN, UUID } from "../../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page, queryValue } from "../../../../page-kit/request"
import { trustedForm } from "../../../../pay/http/respond"
import { changeSubscription } from "../../../flow/act"
import { noticeOf, showSubscription } from "../../../flow/show"
import { answerOwn } from "../../../http"

const PARAMS = { token: PORTAL_TOKEN, id: UUID }

export const GET = page(PARAMS, async (req, res) => {
  await answerOwn(req, res, (visit) =>
    showSubscription(gatewayOf(req), visit, req.gatewayPage.params.id, { notice: noticeOf(queryValue(req, "done")) })
  )
})

/** Pauses, resumes, undoes a cancellation, or changes the payment method: the button's `action`. */
export const POST = page(PARAMS, async (req, res) => {
  await answerOwn(req, res, async (visit, request) =>
    changeSubscription(gatewayOf(req), visit, req.gatewayPage.params.id, await trustedForm(request))
  )
})
