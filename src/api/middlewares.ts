import { defineMiddlewares } from "@medusajs/framework/http"
import { compressedRoutes } from "./compress"
import { targetRoutes } from "./long-targets"
import { contractRoutes } from "./v2-kit/medusa"
import { adminRoutes } from "./admin-kit/middlewares-config"
import { gatewayRoutes } from "./gateway/middlewares-config"
import { payRoutes } from "./pay/middlewares-config"
import { portalRoutes } from "./portal/middlewares-config"
import { signInRoutes } from "./sign-in/middlewares-config"
import { cartChangeRoutes } from "./store/cart-changes"
import { shopperRoutes } from "./store/middlewares-config"
import { paymentSessionRoutes } from "./store/payment-session-data"

/** Only combines the parts: what runs before the routes, and the paths that Medusa's body parser leaves alone. */
export default defineMiddlewares({
  routes: [
    ...compressedRoutes,
    ...contractRoutes,
    ...targetRoutes,
    ...payRoutes,
    ...portalRoutes,
    ...gatewayRoutes,
    ...adminRoutes,
    ...shopperRoutes,
    ...signInRoutes,
    ...paymentSessionRoutes,
    ...cartChangeRoutes,
  ],
})
