import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MERCHANT_ID } from "../../../modules/gateway/kernel/ids"
import { gatewayOf } from "../../pay/http/gateway"
import { trustedForm } from "../../pay/http/respond"
import { queryValue } from "../../pay/http/visitor"
import { requestLink, showLogin } from "../flow/login"
import { noticeOf, showOverview } from "../flow/show"
import { answerLogin, answerOwn } from "../http/respond"

/** The overview of a link, or the form of a merchant whose customers ask for one: the form of the token or id decides. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const { token } = req.params
  if (MERCHANT_ID.test(token)) {
    const isSent = queryValue(req, "sent") === "1"
    await answerLogin(req, res, liveOf(token), async (visit) => showLogin(visit, isSent))
    return
  }
  await answerOwn(req, res, (visit) => showOverview(gatewayOf(req.scope), visit, noticeOf(queryValue(req, "done"))))
}

/** Of a merchant's form; a link's overview has none of its own, and a POST to it shows it again. */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answerLogin(req, res, liveOf(req.params.token), async (visit, request) =>
    requestLink(gatewayOf(req.scope), visit, await trustedForm(request))
  )
}

function liveOf(merchant_id: string): { merchant_id: string; environment: "production" } {
  return { merchant_id, environment: "production" }
}
