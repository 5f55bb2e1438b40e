import type { MedusaNextFunction, MedusaRequest, MedusaResponse, MiddlewareRoute } from "@medusajs/framework/http"
import { sendTooLong } from "./compress"
import { isTooLong } from "./v2-kit/target"

function refuseLongTarget(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction): void {
  if (!isTooLong(request.originalUrl)) {
    next()
    return
  }
  sendTooLong(response)
}

/** The areas of the front door refuse in their own shape. */
export const targetRoutes: MiddlewareRoute[] = ["/gateway", "/admin/gateway", "/store/gateway"].map((matcher) => ({
  matcher,
  middlewares: [refuseLongTarget],
}))
