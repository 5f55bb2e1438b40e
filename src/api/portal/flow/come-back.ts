import { PORTAL_TOKEN } from "../../../modules/gateway/kernel/ids"
import type { Reply } from "../../pay/flow/states"
import type { Visitor } from "../../pay/http/visitor"
import type { Notice } from "../view/notices"
import { statusPage } from "../view/status"

/** What the status in a payment's return address means for the payment method; it proves nothing, and is only shown. */
const NOTICES: Readonly<Record<string, Notice>> = { SUCCESS: "changed", REFUNDED: "changed", PENDING: "confirming" }

/** Leads a browser that comes from the payment page back to its own portal. */
export function comeBack(visitor: Visitor, token: string | null, status: string | null): Reply {
  if (token === null || !PORTAL_TOKEN.test(token)) {
    const body = statusPage("returned", { language: visitor.language, merchant: null, way: "/portal" })
    return { status: 200, body }
  }
  const notice = Object.hasOwn(NOTICES, status ?? "") ? NOTICES[status ?? ""] : "unchanged"
  return { status: 303, location: `/portal/${token}?done=${notice}` }
}
