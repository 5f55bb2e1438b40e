import type { ServerResponse } from "node:http"
import { inspect } from "node:util"
import type { Language } from "../../../i18n/languages"
import { RETRY_SECONDS } from "../../../modules/gateway/kernel/database/connection-loss"
import { INVOICE_TOKEN, LINK_TOKEN, SESSION_ID } from "../../../modules/gateway/kernel/text/ids"
import { gatewayOf, type PageRequest } from "../../page-kit/request"
import { visibleError } from "../../v2-kit/errors"
import { BodyError } from "../../v2-kit/body"
import { MalformedForm, type FormFields } from "../form/fields"
import type { Reply } from "../flow/states"
import { problemPage } from "../view/status"
import { type Visitor, readForm, visitorOf } from "./request"
import { cookiesFor, isOwnPost, isTokenValid } from "./csrf"
import { setSecurityHeaders } from "./headers"

/** The posted form is not from our own page in this browser. */
class ForeignForm extends Error {}

/** The subject of a page: a checkout, an invoice, or a payment link. `language`: its shop's, when that is known. */
type Subject = { id: string; exists: boolean; path: string; language?: () => Promise<Language | null> }

/** `sessionId` is the id of the page's subject: its forms are bound to it. */
export type Visit = { req: PageRequest; sessionId: string; path: string; visitor: Visitor }

/**
 * Header values are Latin-1 at most, so this percent-encodes everything beyond ASCII in a merchant's address. Byte by
 * byte: encodeURIComponent throws on half a surrogate pair, and this runs after the money has moved.
 */
export function asciiUrl(url: string): string {
  return url.replace(/[^\x21-\x7e]+/g, (text) => Buffer.from(text, "utf8").toString("hex").replace(/../g, "%$&"))
}

export function sendReply(res: ServerResponse, visitor: Visitor, reply: Reply): void {
  setSecurityHeaders(res, visitor, { sandbox: "sandbox" in reply && reply.sandbox })
  cookiesOf(visitor, reply).forEach((cookie) => res.appendHeader("Set-Cookie", cookie))
  res.statusCode = reply.status
  if ("location" in reply) {
    res.setHeader("Location", asciiUrl(reply.location))
    res.end()
    return
  }
  if ("file" in reply) {
    res.setHeader("Content-Type", reply.file.type)
    res.setHeader("Content-Disposition", `attachment; filename="${reply.file.name}"`)
    res.setHeader("Content-Length", reply.file.bytes.length)
    res.end(reply.file.bytes)
    return
  }
  if ("retryAfter" in reply) {
    res.setHeader("Retry-After", reply.retryAfter)
  } else if (reply.refresh !== undefined) {
    res.setHeader("Refresh", `${reply.refresh.seconds}; url=${reply.refresh.url}`)
  }
  res.setHeader("Content-Type", "text/html; charset=utf-8")
  res.setHeader("Content-Language", visitor.language)
  res.end(reply.body.text)
}

function cookiesOf(visitor: Visitor, reply: Reply): string[] {
  if (!("cookie" in reply)) {
    const receipt = "receipt" in reply && reply.receipt !== undefined ? [reply.receipt] : []
    return [...cookiesFor(visitor), ...receipt]
  }
  return reply.cookie === null ? [] : [reply.cookie]
}

type Problem = Pick<Visit, "req" | "visitor"> & { path: string | null }

/** An error page in the page's own style: never Medusa's JSON, a stack or an internal message. */
function problemReply(error: unknown, { visitor, path, req }: Problem): Reply {
  const at = { language: visitor.language, path }
  if (error instanceof MalformedForm) {
    return { status: 400, body: problemPage("malformed", at) }
  }
  if (error instanceof BodyError) {
    return error.problem === "too_large"
      ? { status: 413, body: problemPage("tooLarge", at) }
      : { status: 408, body: problemPage("tooSlow", at) }
  }
  if (error instanceof ForeignForm) {
    return { status: 403, body: problemPage("forbidden", at) }
  }
  const { logger } = req.gatewayPage.services
  if (visibleError(error).code === "SERVICE_UNAVAILABLE") {
    logger.warn(`gateway: a page could not be answered: ${(error as Error).message}`)
    return { status: 503, retryAfter: RETRY_SECONDS, body: problemPage("broken", at) }
  }
  logger.error(`Payment page ${req.method} failed`, error instanceof Error ? error : new Error(inspect(error)))
  return { status: 500, body: problemPage("broken", at) }
}

/** Sends the page of an error of a request that has no subject, or not yet. */
export function sendProblem(req: PageRequest, res: ServerResponse, error: unknown): void {
  const visitor = visitorOf(req)
  sendReply(res, visitor, problemReply(error, { req, visitor, path: null }))
}

/** Runs a handler and sends its reply; every error becomes a page of ours. */
export async function answer(
  req: PageRequest,
  res: ServerResponse,
  handler: (visit: Visit) => Promise<Reply>,
  subject: Subject = checkoutOf(req)
): Promise<void> {
  const request = { req, sessionId: subject.id, path: subject.path, visitor: visitorOf(req) }
  let reply: Reply
  try {
    request.visitor = await inShopsLanguage(request.visitor, subject)
    reply = subject.exists ? await handler(request) : notFoundReply(request.visitor)
  } catch (error) {
    reply = problemReply(error, request)
    if (reply.status === 408) {
      res.setHeader("Connection", "close")
    }
  }
  sendReply(res, request.visitor, reply)
}

/** The page opens in the shop's language, unless the shopper has chosen one (docs/decisions/16). */
async function inShopsLanguage(visitor: Visitor, { exists, language }: Subject): Promise<Visitor> {
  const shops = exists && !visitor.isOwnLanguage ? await language?.() : null
  return shops ? { ...visitor, language: shops } : visitor
}

function checkoutOf(req: PageRequest): Subject {
  const { session_id } = req.gatewayPage.params
  return {
    id: session_id,
    exists: SESSION_ID.test(session_id),
    path: `/pay/${session_id}`,
    language: () => gatewayOf(req).checkoutPages.language(session_id),
  }
}

/** The subject of the pages under /pay/invoice. */
export function invoiceSubject({ gatewayPage }: PageRequest): Subject {
  const { token } = gatewayPage.params
  return { id: token, exists: INVOICE_TOKEN.test(token), path: `/pay/invoice/${token}` }
}

/** The subject of a payment link's page. */
export function linkSubject({ gatewayPage }: PageRequest): Subject {
  const { token } = gatewayPage.params
  return { id: token, exists: LINK_TOKEN.test(token), path: `/pay/link/${token}` }
}

export function notFoundReply(visitor: Visitor): Reply {
  return { status: 404, body: problemPage("unknown", { language: visitor.language, path: null }) }
}

/** Returns the posted fields after it has checked that this browser posted them from a page of ours. */
export async function trustedForm({ req, sessionId, visitor }: Visit): Promise<FormFields> {
  const fields = await readForm(req, gatewayOf(req).options.server.bodySeconds)
  const hosts = [req.headers.host ?? "", visitor.publicUrl.split("/")[2]]
  const own = isOwnPost({ secFetchSite: header(req, "sec-fetch-site"), origin: req.headers.origin, hosts })
  const token = fields.get("csrf_token") ?? ""
  if (!own || !isTokenValid({ ...visitor, sessionId, token })) {
    throw new ForeignForm()
  }
  return fields
}

function header(req: PageRequest, name: string): string | undefined {
  const value = req.headers[name]
  return Array.isArray(value) ? value[0] : value
}
