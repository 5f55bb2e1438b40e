import { authenticate, type MiddlewareRoute } from "@medusajs/framework/http"
import { cookieRequestsFrom } from "../v2-kit/cookie-request"

/** What customers do with their subscriptions needs a customer of the store who has signed in; everybody else gets 401. */
export const shopperRoutes: MiddlewareRoute[] = [
  { matcher: "/store/gateway", middlewares: [cookieRequestsFrom("storeCors")] },
  { matcher: "/store/gateway/subscriptions*", middlewares: [authenticate("customer", ["session", "bearer"])] },
]
