import type { MiddlewareRoute } from "@medusajs/framework/http"
import { EVERY_METHOD } from "../every-method"
import { inMedusa } from "../page-kit/medusa"
import { portalGate } from "./http/gate"

/**
 * The settings of Medusa's router for the customer portal; src/api/middlewares.ts combines them with the others. As for
 * the payment page (src/api/pay/middlewares-config.ts) forms are read by our own code.
 */
export const portalRoutes: MiddlewareRoute[] = [
  { matcher: "/portal", middlewares: [inMedusa(portalGate)] },
  { matcher: "/portal*", methods: EVERY_METHOD, bodyParser: false },
]
