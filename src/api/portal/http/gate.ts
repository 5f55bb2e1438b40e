import { PORTAL_TOKEN } from "../../../modules/gateway/kernel/ids"
import { findPage } from "../../page-kit/routes"
import { gateOf } from "../../pay/http/gate"
import type { Counted } from "../../pay/http/limits"
import { unknownLinkReply } from "../flow/replies"
import { PORTAL_ROUTES } from "../routes"

const find = (path: string) => findPage(PORTAL_ROUTES, path.replace(/(.)\/$/, "$1"))

/** The overview of the link, or the form that asks for one. */
function pageOf(path: string, isKnown: boolean): string | null {
  return isKnown ? path.split("/").slice(0, 3).join("/") : null
}

function countedAs(path: string, isKnown: boolean, method: string): Omit<Counted, "address"> {
  const [, , first = "", part, , more] = path.split("/")
  const about = isKnown && PORTAL_TOKEN.test(first) ? first : null
  return { about, isForm: method === "POST", isPdf: part === "invoices" && more === "pdf" }
}

export const portalGate = gateOf({ find, pageOf, countedAs, notFound: unknownLinkReply })
