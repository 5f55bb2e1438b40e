import type { MedusaNextFunction, MedusaRequest, MedusaResponse, MiddlewareRoute } from "@medusajs/framework/http"
import { sendTooLong } from "./send-answer"
import { isTooLong } from "./v2-kit/target"

function refuseLongTarget(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction): void {
  if (!isTooLong(request.originalUrl)) {
    next()
    return
  }
  sendTooLong(response)
}

/** `/api/v2` and `/pay` refuse in their own shape (v2-kit/exchange.ts, pay/http/gate.ts). */
export const targetRoutes: MiddlewareRoute[] = ["/gateway", "/admin/gateway", "/store/gateway"].map((matcher) => ({
  matcher,
  middlewares: [refuseLongTarget],
}))
