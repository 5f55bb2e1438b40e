import type { MiddlewareRoute } from "@medusajs/framework/http"
import { limitReturns } from "./limits"

/**
 * The settings of Medusa's router for the routes under /gateway; src/api/middlewares.ts combines them with the others.
 */
export const gatewayRoutes: MiddlewareRoute[] = [
  { matcher: "/gateway/return", middlewares: [limitReturns] },
  // Medusa's parser would answer a large or malformed report itself.
  { matcher: "/gateway/csp-reports", bodyParser: false },
]
