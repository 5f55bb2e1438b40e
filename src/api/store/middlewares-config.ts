import { authenticate, type MiddlewareRoute } from "@medusajs/framework/http"
import { cookieRequestsFrom } from "../sign-in/cookie-request"

/** The routes of a customer's own things require a signed-in customer of the store; everybody else gets 401. */
const signedIn = () => authenticate("customer", ["session", "bearer"])

export const shopperRoutes: MiddlewareRoute[] = [
  { matcher: "/store/gateway", middlewares: [cookieRequestsFrom("storeCors")] },
  { matcher: "/store/gateway/subscriptions*", middlewares: [signedIn()] },
  { matcher: "/store/gateway/payment-methods*", middlewares: [signedIn()] },
  { matcher: "/store/gateway/checkouts*", middlewares: [signedIn()] },
  { matcher: "/store/gateway/portal-sessions*", middlewares: [signedIn()] },
]
