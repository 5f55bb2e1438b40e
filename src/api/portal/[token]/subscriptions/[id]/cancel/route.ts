import { PORTAL_TOKEN, UUID } from "../../../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page } from "../../../../../page-kit/request"
import { trustedForm } from "../../../../../pay/http/respond"
import { cancelSubscription } from "../../../../flow/act"
import { showCancel } from "../../../../flow/show"
import { answerOwn } from "../../../../http"

const PARAMS = { token: PORTAL_TOKEN, id: UUID }

/** The question whether to cancel. */
export const GET = page(PARAMS, async (req, res) => {
  await answerOwn(req, res, (visit) => showCancel(gatewayOf(req), visit, req.gatewayPage.params.id))
})

export const POST = page(PARAMS, async (req, res) => {
  await answerOwn(req, res, async (visit, request) => {
    const fields = await trustedForm(request)
    return cancelSubscription(gatewayOf(req), visit, req.gatewayPage.params.id, fields)
  })
})
