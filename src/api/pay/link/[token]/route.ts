import type { ServerResponse } from "node:http"
import { gatewayOf, queryValue, type PageRequest } from "../../../page-kit/request"
import { payLink, showLink } from "../../flow/link"
import { answer, linkSubject, trustedForm } from "../../http/respond"

/** A payment link's public page; a payment made from it returns here. */
export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answer(
    req,
    res,
    ({ sessionId: token, visitor }) => showLink(gatewayOf(req), { token, visitor }, queryValue(req, "status")),
    linkSubject(req)
  )
}

/** The Pay button. */
export async function POST(req: PageRequest, res: ServerResponse): Promise<void> {
  await answer(
    req,
    res,
    async (request) => {
      const fields = await trustedForm(request)
      return payLink(gatewayOf(req), { token: request.sessionId, visitor: request.visitor }, fields)
    },
    linkSubject(req)
  )
}
