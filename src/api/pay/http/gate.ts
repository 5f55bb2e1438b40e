import { findPage, methodsIn } from "../../page-kit/routes"
import { gatewayOf, pathOf, queryValue, type FoundPage, type PageGate, type PageRequest } from "../../page-kit/request"
import { addressOf, isTooLong } from "../../v2-kit/target"
import { waitReply, type Reply } from "../flow/states"
import { problemPage } from "../view/status"
import { secondsToWait, type Counted } from "./limits"
import { notFoundReply, sendProblem, sendReply } from "./respond"
import { type Visitor, visitorOf } from "./request"

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
function countedAs(path: string, isKnown: boolean, request: PageRequest): Omit<Counted, "address"> | null {
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
  const isForm = request.method === "POST" && part !== "return"
  const isShared = first === "link"
  // The receipt of a link has no path of its own.
  const isPdf = part === "pdf" || (isShared && queryValue(request, "receipt") === "pdf")
  return { about, isForm, isPdf, isShared }
}

/** What a gate must know of the paths below its root. */
type Paths = {
  /** The route at a path; null when there is no such page. */
  find(path: string): FoundPage | null
  /** The page to try again, whatever the request was; null: the one that the browser is on. */
  pageOf(path: string, isKnown: boolean): string | null
  /** How a request is counted; null: not at all. */
  countedAs(path: string, isKnown: boolean, request: PageRequest): Omit<Counted, "address"> | null
  /** The page for an address that does not exist. */
  notFound(visitor: Visitor): Reply
}

/**
 * Runs before every route below a root and answers what none of them handles, so that a mistyped address, a broken
 * percent escape or a wrong method gets our page instead of Express's or Medusa's. Refuses requests over the limits.
 */
export function gateOf(paths: Paths): PageGate {
  return async function gate(req, res, next) {
    const tooLong = isTooLong(req.gatewayPage.target)
    const path = pathOf(req)
    const found = tooLong ? null : paths.find(path)
    const methods = found === null ? null : methodsIn(found.route)
    const counted = paths.countedAs(path, found !== null, req)
    const gateway = gatewayOf(req)
    let seconds: number | null = null
    try {
      seconds = counted && (await secondsToWait(gateway, { ...counted, address: addressOf(gateway, req) }))
    } catch (error) {
      sendProblem(req, res, error)
      return
    }
    if (seconds === null && found !== null && methods?.includes(req.method ?? "")) {
      Object.assign(req.gatewayPage, found)
      await next()
      return
    }
    const visitor = visitorOf(req)
    if (seconds !== null) {
      sendReply(res, visitor, waitReply("tooMany", visitor, seconds, paths.pageOf(path, found !== null)))
    } else if (tooLong) {
      sendReply(res, visitor, { status: 414, body: problemPage("unknown", { language: visitor.language, path: null }) })
    } else if (methods === null) {
      sendReply(res, visitor, paths.notFound(visitor))
    } else {
      res.setHeader("Allow", methods.join(", "))
      const body = problemPage("wrongMethod", { language: visitor.language, path: null })
      sendReply(res, visitor, { status: 405, body })
    }
  }
}

export const payGate = gateOf({ find: findPage, pageOf, countedAs, notFound: notFoundReply })
