import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { Environment } from "../../../modules/gateway/kernel/clock"
import { gatewayOf } from "../../pay/http/gateway"
import { answer } from "../../pay/http/respond"
import { storeScope } from "../../gateway/store-scope"
import type { Reply } from "../../pay/flow/states"
import { unknownLinkReply } from "../flow/replies"
import { withSession } from "../flow/session"
import type { LoginVisit, PortalVisit } from "../flow/visit"

type PageRequest = Parameters<Parameters<typeof answer>[2]>[0]

/** A page of the link in the path: its forms are bound to that link. */
export async function answerOwn(
  req: MedusaRequest,
  res: MedusaResponse,
  handler: (visit: PortalVisit, request: PageRequest) => Promise<Reply>
): Promise<void> {
  const { token } = req.params
  const subject = { id: token, exists: true, path: `/portal/${token}` }
  const gateway = gatewayOf(req.scope)
  await answer(
    req,
    res,
    (request) => withSession(gateway, { token, visitor: request.visitor }, (visit) => handler(visit, request)),
    subject
  )
}

/** The form that asks for an e-mail address: of a merchant, or of the store itself (`merchant_id` null). */
export async function answerLogin(
  req: MedusaRequest,
  res: MedusaResponse,
  whose: { merchant_id: string; environment: Environment } | null,
  handler: (visit: LoginVisit, request: PageRequest) => Promise<Reply>
): Promise<void> {
  const path = req.originalUrl.split("?")[0].replace(/(.)\/$/, "$1")
  const gateway = gatewayOf(req.scope)
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
