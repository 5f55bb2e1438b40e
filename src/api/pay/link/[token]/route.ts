import { LINK_TOKEN } from "../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page, queryValue } from "../../../page-kit/request"
import { payLink, showLink } from "../../flow/link"
import { answer, linkSubject, trustedForm } from "../../http/respond"

const PARAMS = { token: LINK_TOKEN }

/** A payment link's public page; a payment made from it returns here. */
export const GET = page(PARAMS, async (req, res) => {
  await answer(
    req,
    res,
    ({ sessionId: token, visitor }) => {
      const { balanceOf } = req.gatewayPage.services.store
      const [status, transaction_id, receipt] = ["status", "transaction_id", "receipt"].map((n) => queryValue(req, n))
      return showLink(gatewayOf(req), { token, visitor, balanceOf }, { status, transaction_id, receipt })
    },
    linkSubject(req)
  )
})

/** The Pay button. */
export const POST = page(PARAMS, async (req, res) => {
  await answer(
    req,
    res,
    async (request) => {
      const fields = await trustedForm(request)
      const { balanceOf } = req.gatewayPage.services.store
      return payLink(gatewayOf(req), { token: request.sessionId, visitor: request.visitor, balanceOf }, fields)
    },
    linkSubject(req)
  )
})
