import type { MiddlewareRoute } from "@medusajs/framework/http"
import { EVERY_METHOD } from "../every-method"
import { inMedusa } from "../page-kit/medusa"
import { acquirerGate, metricsGate, reportGate, returnGate } from "./gate"

const GATES = {
  "/gateway/return": returnGate,
  "/gateway/acquirers": acquirerGate,
  "/gateway/csp-reports": reportGate,
  "/gateway/metrics": metricsGate,
}

/**
 * The settings of Medusa's router for the routes under /gateway; src/api/middlewares.ts combines them with the others.
 * Medusa's parsers are off: signatures need the exact bytes, acquirers send what they like, and a malformed report would
 * be answered by Medusa.
 */
export const gatewayRoutes: MiddlewareRoute[] = Object.entries(GATES).flatMap(([matcher, gate]) => [
  { matcher, middlewares: [inMedusa(gate)] },
  { matcher: `${matcher}*`, methods: EVERY_METHOD, bodyParser: false },
])
