import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { INVOICE_TOKEN, SESSION_ID } from "../../../modules/gateway/kernel/ids"
import { BodyError } from "../../v2-kit/read-bytes"
import { MalformedForm, type FormFields } from "../form/fields"
import type { Reply } from "../flow/states"
import { problemPage } from "../view/status"
import { readForm } from "./body"
import { cookiesFor } from "./cookies"
import { isOwnPost, isTokenValid } from "./csrf"
import { gatewayOf } from "./gateway"
import { setSecurityHeaders } from "./headers"
import { visitorOf, type Visitor } from "./visitor"

/** The posted form is not from our own page in this browser. */
class ForeignForm extends Error {}

/** What a page is about: a checkout, or an invoice. */
export type Subject = { id: string; exists: boolean; path: string }

/** `sessionId` is the id of whatever the page is about: its forms are bound to it. */
type Asked = { req: MedusaRequest; sessionId: string; path: string; visitor: Visitor }

/**
 * Header values are Latin-1 at most: what a merchant's address holds beyond ASCII is percent-encoded, byte by byte
 * because encodeURIComponent throws on half a surrogate pair, and this runs when the money has moved already.
 */
export function asciiUrl(url: string): string {
  return url.replace(/[^\x21-\x7e]+/g, (text) => Buffer.from(text, "utf8").toString("hex").replace(/../g, "%$&"))
}

export function sendReply(res: MedusaResponse, visitor: Visitor, reply: Reply): void {
  setSecurityHeaders(res, visitor)
  cookiesFor(visitor).forEach((cookie) => res.append("Set-Cookie", cookie))
  res.status(reply.status)
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

/** What cannot be served, in the page's own style: never Medusa's JSON, a stack or a message from within. */
function problemReply(error: unknown, asked: Asked): Reply {
  const { visitor, path, req } = asked
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
  const logger = req.scope.resolve(ContainerRegistrationKeys.LOGGER)
  logger.error(`Payment page ${req.method} failed`, error instanceof Error ? error : new Error(String(error)))
  return { status: 500, body: problemPage("broken", at) }
}

/** Runs a handler and sends what it answers; every error becomes a page of ours. */
export async function answer(
  req: MedusaRequest,
  res: MedusaResponse,
  handler: (asked: Asked) => Promise<Reply>,
  subject: Subject = checkoutOf(req)
): Promise<void> {
  const asked = { req, sessionId: subject.id, path: subject.path, visitor: visitorOf(req) }
  let reply: Reply
  try {
    reply = subject.exists ? await handler(asked) : notFoundReply(asked.visitor)
  } catch (error) {
    reply = problemReply(error, asked)
    if (reply.status === 408) {
      res.setHeader("Connection", "close")
    }
  }
  sendReply(res, asked.visitor, reply)
}

function checkoutOf({ params: { session_id } }: MedusaRequest): Subject {
  return { id: session_id, exists: SESSION_ID.test(session_id), path: `/pay/${session_id}` }
}

/** The subject of the pages under /pay/invoice. */
export function invoiceSubject({ params: { token } }: MedusaRequest): Subject {
  return { id: token, exists: INVOICE_TOKEN.test(token), path: `/pay/invoice/${token}` }
}

export function notFoundReply(visitor: Visitor): Reply {
  return { status: 404, body: problemPage("unknown", { language: visitor.language, path: null }) }
}

/** The posted fields, once it is certain that this browser posted them from a page of ours. */
export async function trustedForm({ req, sessionId, visitor }: Asked): Promise<FormFields> {
  const fields = await readForm(req, gatewayOf(req.scope).options.server.bodySeconds)
  const hosts = [req.headers.host ?? "", visitor.publicUrl.split("/")[2]]
  const own = isOwnPost({ secFetchSite: header(req, "sec-fetch-site"), origin: req.headers.origin, hosts })
  const token = fields.get("csrf_token") ?? ""
  if (!own || !isTokenValid({ ...visitor, sessionId, token })) {
    throw new ForeignForm()
  }
  return fields
}

function header(req: MedusaRequest, name: string): string | undefined {
  const value = req.headers[name]
  return Array.isArray(value) ? value[0] : value
}
