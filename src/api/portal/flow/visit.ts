import type { PortalMerchant } from "../../../modules/gateway/portal/logins"
import type { FoundSession } from "../../../modules/gateway/portal/records"
import type { Visitor } from "../../pay/http/visitor"

/** A request of the customer whose link it is. `path`: the overview; `csrf`: the token of this page's forms. */
export type PortalVisit = { session: FoundSession; token: string; visitor: Visitor; path: string; csrf: string }

/** A visitor who has no link yet; nothing is known of them. */
export type LoginVisit = { merchant: PortalMerchant; path: string; visitor: Visitor }
