import type { MedusaNextFunction, MedusaRequest, MedusaResponse, MiddlewareRoute } from "@medusajs/framework/http"
import { GatewayError } from "../modules/gateway/kernel/errors"
import { isTooLong } from "./v2-kit/target"

function refuseLongTarget(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction): void {
  if (!isTooLong(request.originalUrl)) {
    next()
    return
  }
  const { status, code, message } = new GatewayError("URI_TOO_LONG")
  response.status(status).json({ type: "invalid_data", code, message })
}

/** 414 in Medusa's shape. `/api/v2` and `/pay` refuse in their own (v2-kit/exchange.ts, pay/http/gate.ts). */
export const targetRoutes: MiddlewareRoute[] = ["/gateway", "/admin/gateway", "/store/gateway"].map((matcher) => ({
  matcher,
  middlewares: [refuseLongTarget],
}))
