import type { FoundSession } from "../../../modules/gateway/portal/records"
import { portalLoginPath } from "../../../modules/gateway/portal/rules"
import { GONE, type Reply } from "../../pay/flow/states"
import type { Visitor } from "../../pay/http/request"
import { merchantOf } from "../view/page"
import { statusPage } from "../view/parts"

/** No such link: mistyped, or over for so long that nothing is known of it. */
export function unknownLinkReply({ language }: Visitor): Reply {
  return { status: 404, body: statusPage("unknown", { language, merchant: null, way: "/portal" }) }
}

/** The link has worked, and does not any more: its time is over, or the customer has signed out. */
export function endedReply(session: FoundSession, { language }: Visitor): Reply {
  const { ended_at, store_customer_id, return_url } = session
  const kind = ended_at === null ? "expired" : "left"
  // A customer of the store gets a new link from their account there.
  const way = store_customer_id !== null && return_url !== null ? null : portalLoginPath(session)
  return { status: GONE, body: statusPage(kind, { language, merchant: merchantOf(session), way, back: return_url }) }
}

/** Nothing of this customer's has the id in the address. */
export function missingReply(session: FoundSession, { language }: Visitor, overview: string): Reply {
  return { status: 404, body: statusPage("missing", { language, merchant: merchantOf(session), way: null, overview }) }
}
