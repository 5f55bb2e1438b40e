import type { MiddlewareRoute } from "@medusajs/framework/http"
import { limitReturns } from "./limits"

/**
 * The settings of Medusa's router for the routes under /gateway; src/api/middlewares.ts combines them with the others.
 */
export const gatewayRoutes: MiddlewareRoute[] = [
  { matcher: "/gateway/return", middlewares: [limitReturns] },
  // Signatures need the exact bytes, and acquirers send what they like.
  { matcher: "/gateway/acquirers/*", bodyParser: false },
  // Medusa's parser would answer a large or malformed report itself.
  { matcher: "/gateway/csp-reports", bodyParser: false },
]
