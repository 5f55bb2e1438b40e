import { MERCHANT_ID, PORTAL_TOKEN } from "../../../modules/gateway/kernel/ids"
import { gateOf } from "../../pay/http/gate"
import type { Counted } from "../../pay/http/limits"
import { unknownLinkReply } from "../flow/replies"

const READ = ["GET", "HEAD"]
const READ_AND_POST = ["GET", "HEAD", "POST"]
const POST_ONLY = ["POST"]
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The methods of a path under /portal; null when there is no such path. */
export function methodsOf(path: string): readonly string[] | null {
  const [, root, first, ...rest] = path.replace(/(.)\/$/, "$1").split("/")
  if (root !== "portal") {
    return null
  }
  if (first === undefined) {
    return READ_AND_POST
  }
  if (first === "return") {
    return rest.length === 0 ? READ : null
  }
  if (MERCHANT_ID.test(first)) {
    return rest.length === 0 || (rest.length === 1 && rest[0] === "sandbox") ? READ_AND_POST : null
  }
  return PORTAL_TOKEN.test(first) ? methodsOfSession(rest) : null
}

function methodsOfSession([part, id, more, ...rest]: readonly (string | undefined)[]): readonly string[] | null {
  if (part === undefined) {
    return READ
  }
  if (id === undefined) {
    return part === "sign-out" ? POST_ONLY : part === "invoices" || part === "payments" ? READ : null
  }
  if (!UUID.test(id) || rest.length > 0) {
    return null
  }
  if (more === undefined) {
    return part === "subscriptions" || part === "methods" ? READ_AND_POST : null
  }
  if (part === "invoices") {
    return more === "pdf" ? READ : null
  }
  return part === "subscriptions" && more === "cancel" ? READ_AND_POST : null
}

/** The overview of the link, or the form that asks for one. */
function pageOf(path: string, isKnown: boolean): string | null {
  return isKnown ? path.split("/").slice(0, 3).join("/") : null
}

function countedAs(path: string, isKnown: boolean, method: string): Omit<Counted, "address"> {
  const [, , first = "", part, , more] = path.split("/")
  const about = isKnown && PORTAL_TOKEN.test(first) ? first : null
  return { about, isForm: method === "POST", isPdf: part === "invoices" && more === "pdf" }
}

export const portalGate = gateOf({ methodsOf, pageOf, countedAs, notFound: unknownLinkReply })
