import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { INVOICE_TOKEN, LINK_TOKEN, SESSION_ID } from "../../../modules/gateway/kernel/ids"
import { LOGO_FILE } from "../../../modules/gateway/merchants/logo-rules"
import { addressOf } from "../../v2-kit/address"
import { isTooLong } from "../../v2-kit/target"
import { ASSET_FILE } from "../client/assets"
import { waitReply, type Reply } from "../flow/states"
import { problemPage } from "../view/status"
import { gatewayOf } from "./gateway"
import { secondsToWait, type Counted } from "./limits"
import { notFoundReply, sendReply } from "./respond"
import { visitorOf, type Visitor } from "./visitor"

const READ = ["GET", "HEAD"]
const READ_AND_POST = ["GET", "HEAD", "POST"]

/** The methods of a path under /pay; null when there is no such path. */
export function methodsOf(path: string): readonly string[] | null {
  const [, root, first, second, ...rest] = path.split("/")
  if (root === "pay" && first === "invoice") {
    return methodsOfInvoice(second ?? "", rest)
  }
  if (root === "pay" && first === "link") {
    return LINK_TOKEN.test(second ?? "") && rest.length === 0 ? READ_AND_POST : null
  }
  if (root !== "pay" || first === undefined || rest.length > 0) {
    return null
  }
  if (first === "assets") {
    return ASSET_FILE.test(second ?? "") ? READ : null
  }
  if (first === "logo") {
    return LOGO_FILE.test(second ?? "") ? READ : null
  }
  const known = second === undefined || ["account", "cancel", "leave", "return"].includes(second)
  return known && SESSION_ID.test(first) ? READ_AND_POST : null
}

function methodsOfInvoice(token: string, [part, ...more]: readonly string[]): readonly string[] | null {
  if (!INVOICE_TOKEN.test(token) || more.length > 0) {
    return null
  }
  return part === undefined ? READ_AND_POST : part === "pdf" ? READ : null
}

/** The page to try again: that of the checkout, invoice or link, whatever the request was. */
function pageOf(path: string, isKnown: boolean): string | null {
  return isKnown
    ? path
        .split("/")
        .slice(0, /^\/pay\/(invoice|link)\//.test(path) ? 4 : 3)
        .join("/")
    : null
}

/** How a request under /pay is counted. Null, not at all: the page's own files, which browsers cache for ever. */
function countedAs(path: string, isKnown: boolean, method: string): Omit<Counted, "address"> | null {
  const [, , first, second, third] = path.split("/")
  if (!isKnown) {
    return { about: null }
  }
  if (first === "assets") {
    return null
  }
  if (first === "logo") {
    // It is read from the database, and is no checkout's.
    return { about: null }
  }
  const [about, part] = first === "invoice" || first === "link" ? [second, third] : [first, second]
  // Acquirers send shoppers back with a form; it is not one of ours.
  return { about, isForm: method === "POST" && part !== "return", isPdf: part === "pdf" }
}

/** What a gate must know of the paths below its root. */
type Paths = {
  /** The methods of a path; null when there is no such path. */
  methodsOf(path: string): readonly string[] | null
  /** The page to try again, whatever the request was; null: the one that the browser is on. */
  pageOf(path: string, isKnown: boolean): string | null
  /** How a request is counted; null: not at all. */
  countedAs(path: string, isKnown: boolean, method: string): Omit<Counted, "address"> | null
  /** The page for an address that does not exist. */
  notFound(visitor: Visitor): Reply
}

/**
 * Runs before every route below a root and answers what none of them handles, so that a mistyped address, a broken
 * percent escape or a wrong method gets our page instead of Express's or Medusa's. Refuses requests over the limits.
 */
export function gateOf({ methodsOf: allowed, pageOf: retryOf, countedAs: counts, notFound }: Paths) {
  return async function gate(req: MedusaRequest, res: MedusaResponse, next: MedusaNextFunction): Promise<void> {
    const tooLong = isTooLong(req.originalUrl)
    const path = req.originalUrl.split("?")[0]
    const methods = tooLong ? null : allowed(path)
    const counted = counts(path, methods !== null, req.method)
    const gateway = gatewayOf(req.scope)
    const seconds =
      counted === null ? null : await secondsToWait(gateway, { ...counted, address: addressOf(gateway, req) })
    if (seconds === null && methods?.includes(req.method)) {
      next()
      return
    }
    const visitor = visitorOf(req)
    if (seconds !== null) {
      sendReply(res, visitor, waitReply("tooMany", visitor, seconds, retryOf(path, methods !== null)))
    } else if (tooLong) {
      sendReply(res, visitor, { status: 414, body: problemPage("unknown", { language: visitor.language, path: null }) })
    } else if (methods === null) {
      sendReply(res, visitor, notFound(visitor))
    } else {
      res.setHeader("Allow", methods.join(", "))
      const body = problemPage("wrongMethod", { language: visitor.language, path: null })
      sendReply(res, visitor, { status: 405, body })
    }
  }
}

export const payGate = gateOf({ methodsOf, pageOf, countedAs, notFound: notFoundReply })
