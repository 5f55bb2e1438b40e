import type { MiddlewareRoute } from "@medusajs/framework/http"
import { limitReturns } from "./limits"

/** What the routes under /gateway need of Medusa's router; src/api/middlewares.ts puts it together with the others. */
export const gatewayRoutes: MiddlewareRoute[] = [
  { matcher: "/gateway/return", middlewares: [limitReturns] },
  // Medusa's parser would answer a large or broken report itself.
  { matcher: "/gateway/csp-reports", bodyParser: false },
]
