import type { MiddlewareRoute } from "@medusajs/framework/http"
import { inMedusa } from "../page-kit/medusa"
import { acquirerGate, returnGate } from "./gate"

/**
 * The settings of Medusa's router for the routes under /gateway; src/api/middlewares.ts combines them with the others.
 */
export const gatewayRoutes: MiddlewareRoute[] = [
  { matcher: "/gateway/return", middlewares: [inMedusa(returnGate)], bodyParser: false },
  { matcher: "/gateway/acquirers", middlewares: [inMedusa(acquirerGate)] },
  // Signatures need the exact bytes, and acquirers send what they like.
  { matcher: "/gateway/acquirers/*", bodyParser: false },
  // Medusa's parser would answer a large or malformed report itself.
  { matcher: "/gateway/csp-reports", bodyParser: false },
]
