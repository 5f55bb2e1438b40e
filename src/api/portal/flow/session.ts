import { unknownLinkReply, endedReply, missingReply } from "./replies"
import type { Gateway } from "../../../modules/gateway/container"
import { shopName } from "../../../modules/gateway/merchants/profile-rules"
import type { PortalVisit } from "../view/page"
import type { PortalMerchant } from "../../../modules/gateway/portal/logins"
import { type Reply, isCode } from "../../pay/flow/states"
import { csrfToken } from "../../pay/http/csrf"
import type { Visitor } from "../../pay/http/request"

type Sessions = Pick<Gateway, "portalSessions">

/** Answers a page of a link that works; one that does not, and ids that are not the customer's, have pages of their own. */
export async function withSession(
  gateway: Sessions,
  { token, visitor }: { token: string; visitor: Visitor },
  handler: (visit: PortalVisit) => Promise<Reply>
): Promise<Reply> {
  const found = await gateway.portalSessions.open(token)
  if (found === null) {
    return unknownLinkReply(visitor)
  }
  const session = { ...found, merchant_name: shopName(found.merchant_name, found.merchant_profile, visitor.language) }
  if (session.is_over) {
    return endedReply(session, visitor)
  }
  const path = `/portal/${token}`
  try {
    return await handler({ session, token, visitor, path, csrf: csrfToken(visitor.secret, token) })
  } catch (error) {
    if (MISSING.some((code) => isCode(error, code))) {
      return missingReply(session, visitor, path)
    }
    throw error
  }
}

const MISSING = ["SUBSCRIPTION_NOT_FOUND", "INVOICE_NOT_FOUND", "PAYMENT_METHOD_NOT_FOUND"] as const

/** A visitor who has no link yet; nothing is known of them. */
export type LoginVisit = { merchant: PortalMerchant; path: string; visitor: Visitor }
