import type { FoundSession } from "../../../modules/gateway/portal/records"
import type { Visitor } from "../../pay/http/request"

/** A request of the customer whose link it is. `path`: the overview; `csrf`: the token of this page's forms. */
export type PortalVisit = { session: FoundSession; token: string; visitor: Visitor; path: string; csrf: string }
