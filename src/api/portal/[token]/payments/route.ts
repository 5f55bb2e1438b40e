import { PORTAL_TOKEN } from "../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page, queryValue } from "../../../page-kit/request"
import { showPayments } from "../../flow/show"
import { answerOwn } from "../../http"

export const GET = page({ token: PORTAL_TOKEN }, async (req, res) => {
  await answerOwn(req, res, (visit) => showPayments(gatewayOf(req), visit, queryValue(req, "page")))
})
