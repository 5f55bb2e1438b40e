import type { MedusaNextFunction, MedusaRequest, MedusaResponse, MiddlewareRoute } from "@medusajs/framework/http"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { LIMITS } from "../../modules/gateway/kernel/limits"

/** Whether a request's path, or path and query together, are longer than any of ours. */
export function isTooLong(target: string): boolean {
  const query = target.indexOf("?")
  const path = query === -1 ? target.length : query
  return path > LIMITS.requestPathMaxChars || target.length > LIMITS.requestTargetMaxChars
}

/**
 * A segment of the path that cannot be decoded becomes an id that cannot exist: its route then answers 404 as for any
 * unknown id, where Express would throw (and Medusa answer 500).
 */
export function makeDecodable(request: MedusaRequest): void {
  const path = request.path
  const decodable = path
    .split("/")
    .map((segment) => (isDecodable(segment) ? segment : "-"))
    .join("/")
  // A function, because a path may hold `$&`; and not by length, because the target may be a whole URL.
  request.url = request.url.replace(path, () => decodable)
}

function isDecodable(segment: string): boolean {
  try {
    return !decodeURIComponent(segment).includes("\0")
  } catch {
    return false
  }
}

function acceptTarget(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction): void {
  if (isTooLong(request.originalUrl)) {
    const { status, code, message } = new GatewayError("URI_TOO_LONG")
    response.status(status).json({ type: "invalid_data", code, message })
    return
  }
  makeDecodable(request)
  next()
}

/**
 * What is too long is 414 in Medusa's shape, and what cannot be decoded is an unknown id. `/api/v2` and `/pay` do the
 * same in their own shape (exchange.ts, pay/http/gate.ts). A regular expression, because Medusa sorts wildcards such as
 * RBAC's before paths, and Express decodes the path for those.
 */
export const targetRoutes: MiddlewareRoute[] = [
  { matcher: /^\/(?:gateway|admin\/gateway|store\/gateway)(?=\/|$)/i, middlewares: [acceptTarget] },
]
