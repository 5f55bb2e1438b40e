import { MERCHANT_ID } from "../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page, queryValue, type PageRequest } from "../../../page-kit/request"
import { trustedForm } from "../../../pay/http/respond"
import { requestLink, showLogin } from "../../flow/login"
import { answerLogin } from "../../http"

const PARAMS = { token: MERCHANT_ID }

/** A merchant's form in its sandbox. */
export const GET = page(PARAMS, async (req, res) => {
  await answerLogin(req, res, sandboxOf(req), async (visit) => showLogin(visit, queryValue(req, "sent") === "1"))
})

export const POST = page(PARAMS, async (req, res) => {
  await answerLogin(req, res, sandboxOf(req), async (visit, request) =>
    requestLink(gatewayOf(req), visit, await trustedForm(request))
  )
})

function sandboxOf({ gatewayPage: { params } }: PageRequest): { merchant_id: string; environment: "sandbox" } {
  return { merchant_id: params.token, environment: "sandbox" }
}
