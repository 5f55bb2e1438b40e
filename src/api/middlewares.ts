import { defineMiddlewares } from "@medusajs/framework/http"
import { frontDoorRoutes } from "../front-door/behind-express"
import { compressedRoutes } from "./compress"
import { targetRoutes } from "./long-targets"
import { adminRoutes } from "./admin-kit/middlewares-config"
import { signInRoutes } from "./sign-in/limit"
import { cartChangeRoutes, paymentSessionRoutes, shopperRoutes } from "./store/middlewares-config"

/** Only combines the parts: what runs before the routes, and the paths that Medusa's body parser leaves alone. */
export default defineMiddlewares({
  routes: [
    ...frontDoorRoutes,
    ...compressedRoutes,
    ...targetRoutes,
    ...adminRoutes,
    ...shopperRoutes,
    ...signInRoutes,
    ...paymentSessionRoutes,
    ...cartChangeRoutes,
  ],
})
