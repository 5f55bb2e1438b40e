import { PORTAL_TOKEN, UUID } from "../../../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page } from "../../../../../page-kit/request"
import { downloadPdf } from "../../../../flow/show"
import { answerOwn } from "../../../../http"

export const GET = page({ token: PORTAL_TOKEN, id: UUID }, async (req, res) => {
  await answerOwn(req, res, (visit) => downloadPdf(gatewayOf(req), visit, req.gatewayPage.params.id))
})
