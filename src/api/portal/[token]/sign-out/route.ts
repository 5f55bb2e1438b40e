import { PORTAL_TOKEN } from "../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page } from "../../../page-kit/request"
import { trustedForm } from "../../../pay/http/respond"
import { signOut } from "../../flow/act"
import { answerOwn } from "../../http"

/** Ends the link for every browser. */
export const POST = page({ token: PORTAL_TOKEN }, async (req, res) => {
  await answerOwn(req, res, async (visit, request) => {
    await trustedForm(request)
    return signOut(gatewayOf(req), visit)
  })
})
