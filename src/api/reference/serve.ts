import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayOf } from "../pay/http/gateway"
import { setSecurityHeaders } from "../pay/http/headers"
import { visitorOf } from "../pay/http/visitor"
import { referenceFiles } from "./files"
import { REFERENCE_POLICY, referencePage } from "./page"

const PAGE = /^\/docs\/?$/

/**
 * Answers `/api/v2/docs` with the reference pages. It runs ahead of the table of operations, because a page is no
 * operation; where the pages are switched off, the path is as unknown as any other.
 */
export async function serveReference(
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const { options } = gatewayOf(request.scope)
  if (!PAGE.test(request.path) || !["GET", "HEAD"].includes(request.method) || !options.reference) {
    return next()
  }
  try {
    const base = options.environment === "production" ? "/sandbox/api/v2" : "/api/v2"
    const body = Buffer.from(referencePage(await referenceFiles(), base))
    setSecurityHeaders(response, visitorOf(request))
    response.setHeader("Content-Security-Policy", REFERENCE_POLICY)
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Length": body.length })
    response.end(request.method === "HEAD" ? undefined : body)
  } catch (error) {
    next(error)
  }
}
