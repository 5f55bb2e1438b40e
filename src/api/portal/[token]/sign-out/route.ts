import { PORTAL_TOKEN } from "../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page } from "../../../page-kit/request"
import { trustedForm } from "../../../pay/http/respond"
import { signOut } from "../../flow/act"
import { answerOwn } from "../../http"

const PARAMS = { token: PORTAL_TOKEN }

/** A reload of a refused sign-out: the overview shows how things are. */
export const GET = page(PARAMS, async (req, res) => {
  await answerOwn(req, res, async ({ path }) => ({ status: 303, location: path }))
})

/** Ends the link for every browser. */
export const POST = page(PARAMS, async (req, res) => {
  await answerOwn(req, res, async (visit, request) => {
    await trustedForm(request)
    return signOut(gatewayOf(req), visit)
  })
})
