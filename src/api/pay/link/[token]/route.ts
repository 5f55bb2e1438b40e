import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { payLink, showLink } from "../../flow/link"
import { gatewayOf } from "../../http/gateway"
import { answer, linkSubject, trustedForm } from "../../http/respond"
import { queryValue } from "../../http/visitor"

/** A payment link's public page; a payment made from it returns here. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(
    req,
    res,
    ({ sessionId: token, visitor }) => showLink(gatewayOf(req.scope), { token, visitor }, queryValue(req, "status")),
    linkSubject(req)
  )
}

/** The Pay button. */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(
    req,
    res,
    async (request) => {
      const fields = await trustedForm(request)
      return payLink(gatewayOf(req.scope), { token: request.sessionId, visitor: request.visitor }, fields)
    },
    linkSubject(req)
  )
}
