import type { ServerResponse } from "node:http"
import type { Environment } from "../../modules/gateway/kernel/money/clock"
import { PORTAL_TOKEN } from "../../modules/gateway/kernel/text/ids"
import { shopName } from "../../modules/gateway/merchants/profile-rules"
import { storeScope } from "../gateway/store-scope"
import { type PageRequest, gatewayOf, pathOf } from "../page-kit/request"
import { findPage } from "../page-kit/routes"
import type { Reply } from "../pay/flow/states"
import { gateOf } from "../pay/http/gate"
import type { Counted } from "../pay/http/limits"
import { type Visit, answer } from "../pay/http/respond"
import { type LoginVisit, withSession } from "./flow/session"
import type { PortalVisit } from "./view/page"
import { unknownLinkReply } from "./flow/replies"

const find = (path: string) => findPage(path.replace(/(.)\/$/, "$1"))

/** The overview of the link, or the form that asks for one. */
function pageOf(path: string, isKnown: boolean): string | null {
  return isKnown ? path.split("/").slice(0, 3).join("/") : null
}

function countedAs(path: string, isKnown: boolean, { method }: PageRequest): Omit<Counted, "address"> {
  const [, , first = "", part, , more] = path.split("/")
  const about = isKnown && PORTAL_TOKEN.test(first) ? first : null
  return { about, isForm: method === "POST", isPdf: part === "invoices" && more === "pdf" }
}

export const portalGate = gateOf({ find, pageOf, countedAs, notFound: unknownLinkReply })

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
      const { visitor } = request
      const merchant = await gateway.portalLogins.merchant(whose ?? (await storeScope(gateway)))
      if (merchant === null) {
        return unknownLinkReply(visitor)
      }
      const name = shopName(merchant.name, merchant.profile, visitor.language)
      return handler({ merchant: { ...merchant, name }, path, visitor }, request)
    },
    { id: path, exists: true, path }
  )
}
