import type { MedusaNextFunction, MedusaRequest, MedusaResponse, MiddlewareRoute } from "@medusajs/framework/http"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { LIMITS } from "../../modules/gateway/kernel/limits"

/** Whether a request's path, or its whole target, is longer than any of ours. */
export function isTooLong(target: string): boolean {
  const query = target.indexOf("?")
  const path = query === -1 ? target.length : query
  return path > LIMITS.requestPathMaxChars || target.length > LIMITS.requestTargetMaxChars
}

function refuseLongTarget(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction): void {
  if (!isTooLong(request.originalUrl)) {
    next()
    return
  }
  const { status, code, message } = new GatewayError("URI_TOO_LONG")
  response.status(status).json({ type: "invalid_data", code, message })
}

/** 414 in Medusa's shape. `/api/v2` and `/pay` refuse in their own (exchange.ts, pay/http/gate.ts). */
export const targetRoutes: MiddlewareRoute[] = ["/gateway", "/admin/gateway", "/store/gateway"].map((matcher) => ({
  matcher,
  middlewares: [refuseLongTarget],
}))
