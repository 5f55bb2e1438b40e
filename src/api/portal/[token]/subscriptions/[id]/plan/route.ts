import { PORTAL_TOKEN, UUID } from "../../../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page, queryValue } from "../../../../../page-kit/request"
import { trustedForm } from "../../../../../pay/http/respond"
import { showPlans, switchPlan } from "../../../../flow/plan"
import { answerOwn } from "../../../../http"

const PARAMS = { token: PORTAL_TOKEN, id: UUID }

/** The plans that it may be switched to; with `to`, what one of them costs, and with `again` that it costs another sum now. */
export const GET = page(PARAMS, async (req, res) => {
  await answerOwn(req, res, (visit) =>
    showPlans(gatewayOf(req), visit, req.gatewayPage.params.id, {
      to: queryValue(req, "to"),
      isAgain: queryValue(req, "again") !== null,
    })
  )
})

export const POST = page(PARAMS, async (req, res) => {
  await answerOwn(req, res, async (visit, request) =>
    switchPlan(gatewayOf(req), visit, req.gatewayPage.params.id, await trustedForm(request))
  )
})
