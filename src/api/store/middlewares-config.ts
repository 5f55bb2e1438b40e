import { authenticate, type MiddlewareRoute } from "@medusajs/framework/http"

/** A customer of the store who has signed in; everybody else gets 401. */
export const shopperRoutes: MiddlewareRoute[] = [
  { matcher: "/store/gateway/subscriptions*", middlewares: [authenticate("customer", ["session", "bearer"])] },
]
