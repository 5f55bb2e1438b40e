import { METHODS } from "node:http"
import { defineMiddlewares, type MiddlewareVerb } from "@medusajs/framework/http"
import { compressedRoutes } from "./compress"
import { targetRoutes } from "./long-targets"
import { enterContract, enterSandbox } from "./v2-kit/medusa"
import { adminRoutes } from "./admin-kit/middlewares-config"
import { gatewayRoutes } from "./gateway/middlewares-config"
import { payRoutes } from "./pay/middlewares-config"
import { serveReference } from "./reference/serve"
import { portalRoutes } from "./portal/middlewares-config"
import { signInRoutes } from "./sign-in/middlewares-config"
import { shopperRoutes } from "./store/middlewares-config"
import { paymentSessionRoutes } from "./store/payment-session-data"

/**
 * Every method is listed because Medusa otherwise exempts only the usual ones from its parser: a SEARCH or TRACE with a
 * malformed body would be refused in Medusa's shape, before our own 405.
 */
const EVERY_METHOD = METHODS as MiddlewareVerb[]

/** Only combines the parts: what runs before the routes, and the paths that Medusa's body parser leaves alone. */
export default defineMiddlewares({
  routes: [
    ...compressedRoutes,
    { matcher: "/api/v2/*", methods: EVERY_METHOD, bodyParser: false },
    { matcher: "/api/v2", middlewares: [serveReference, enterContract] },
    { matcher: "/sandbox/api/v2/*", methods: EVERY_METHOD, bodyParser: false },
    { matcher: "/", middlewares: [enterSandbox] },
    ...targetRoutes,
    ...payRoutes,
    ...portalRoutes,
    ...gatewayRoutes,
    ...adminRoutes,
    ...shopperRoutes,
    ...signInRoutes,
    ...paymentSessionRoutes,
  ],
})
