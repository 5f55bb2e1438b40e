import { authenticate, type MiddlewareRoute } from "@medusajs/framework/http"
import { cookieRequestsFrom } from "../v2-kit/cookie-request"

/** The routes of customers' subscriptions require a signed-in customer of the store; everybody else gets 401. */
export const shopperRoutes: MiddlewareRoute[] = [
  { matcher: "/store/gateway", middlewares: [cookieRequestsFrom("storeCors")] },
  { matcher: "/store/gateway/subscriptions*", middlewares: [authenticate("customer", ["session", "bearer"])] },
]
