import { gatewayOf, page, queryValue } from "../../page-kit/request"
import { MERCHANT_ID, PORTAL_TOKEN } from "../../../modules/gateway/kernel/text/ids"
import { trustedForm } from "../../pay/http/respond"
import { requestLink, showLogin } from "../flow/login"
import { noticeOf, showOverview } from "../flow/show"
import { answerLogin, answerOwn } from "../http"

const EITHER = new RegExp(`${PORTAL_TOKEN.source}|${MERCHANT_ID.source}`)

/** The overview of a link, or the form of a merchant whose customers ask for one: the form of the token or id decides. */
export const GET = page({ token: EITHER }, async (req, res) => {
  const { token } = req.gatewayPage.params
  if (MERCHANT_ID.test(token)) {
    const isSent = queryValue(req, "sent") === "1"
    await answerLogin(req, res, liveOf(token), async (visit) => showLogin(visit, isSent))
    return
  }
  await answerOwn(req, res, (visit) => showOverview(gatewayOf(req), visit, noticeOf(queryValue(req, "done"))))
})

/** Of a merchant's form; a link's overview has none of its own. */
export const POST = page({ token: MERCHANT_ID }, async (req, res) => {
  await answerLogin(req, res, liveOf(req.gatewayPage.params.token), async (visit, request) =>
    requestLink(gatewayOf(req), visit, await trustedForm(request))
  )
})

function liveOf(merchant_id: string): { merchant_id: string; environment: "production" } {
  return { merchant_id, environment: "production" }
}
