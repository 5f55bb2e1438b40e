import type { ServerResponse } from "node:http"
import { gatewayOf, pathOf, type PageRequest } from "../../page-kit/request"
import type { Environment } from "../../../modules/gateway/kernel/clock"
import { answer, type Visit } from "../../pay/http/respond"
import { storeScope } from "../../gateway/store-scope"
import type { Reply } from "../../pay/flow/states"
import { unknownLinkReply } from "../flow/replies"
import { withSession } from "../flow/session"
import type { LoginVisit, PortalVisit } from "../flow/visit"

/** A page of the link in the path: its forms are bound to that link. */
export async function answerOwn(
  req: PageRequest,
  res: ServerResponse,
  handler: (visit: PortalVisit, request: Visit) => Promise<Reply>
): Promise<void> {
  const { token } = req.gatewayPage.params
  const subject = { id: token, exists: true, path: `/portal/${token}` }
  const gateway = gatewayOf(req)
  await answer(
    req,
    res,
    (request) => withSession(gateway, { token, visitor: request.visitor }, (visit) => handler(visit, request)),
    subject
  )
}

/** The form that asks for an e-mail address: of a merchant, or of the store itself (`merchant_id` null). */
export async function answerLogin(
  req: PageRequest,
  res: ServerResponse,
  whose: { merchant_id: string; environment: Environment } | null,
  handler: (visit: LoginVisit, request: Visit) => Promise<Reply>
): Promise<void> {
  const path = pathOf(req).replace(/(.)\/$/, "$1")
  const gateway = gatewayOf(req)
  await answer(
    req,
    res,
    async (request) => {
      const merchant = await gateway.portalLogins.merchant(whose ?? (await storeScope(gateway)))
      return merchant === null
        ? unknownLinkReply(request.visitor)
        : handler({ merchant, path, visitor: request.visitor }, request)
    },
    { id: path, exists: true, path }
  )
}
