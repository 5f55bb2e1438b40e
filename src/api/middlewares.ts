import { METHODS } from "node:http"
import { defineMiddlewares, type MiddlewareVerb } from "@medusajs/framework/http"
import { enterSandbox, openExchange } from "./v2-kit/exchange"
import { targetRoutes } from "./v2-kit/target"
import { adminRoutes } from "./admin-kit/middlewares-config"
import { gatewayRoutes } from "./gateway/middlewares-config"
import { payRoutes } from "./pay/middlewares-config"
import { signInRoutes } from "./sign-in/middlewares-config"
import { shopperRoutes } from "./store/middlewares-config"
import { paymentSessionRoutes } from "./store/payment-session-door"

/**
 * Without `methods`, Medusa keeps its parser off the usual ones only: a SEARCH or TRACE with a broken body would be
 * refused in Medusa's shape, before our own 405.
 */
const EVERY_METHOD = METHODS as MiddlewareVerb[]

/** Assembly only: what runs before the routes, and under which paths Medusa's body parser keeps its hands off. */
export default defineMiddlewares({
  routes: [
    { matcher: "/api/v2/*", methods: EVERY_METHOD, bodyParser: false },
    { matcher: "/api/v2", middlewares: [openExchange] },
    { matcher: "/sandbox/api/v2/*", methods: EVERY_METHOD, bodyParser: false },
    { matcher: "/", middlewares: [enterSandbox] },
    ...targetRoutes,
    ...payRoutes,
    ...gatewayRoutes,
    ...adminRoutes,
    ...shopperRoutes,
    ...signInRoutes,
    ...paymentSessionRoutes,
  ],
})
