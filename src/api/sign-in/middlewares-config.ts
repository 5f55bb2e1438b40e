import type { MiddlewareRoute } from "@medusajs/framework/http"
import { limitSignIn } from "./limit"

/** What runs before Medusa's own routes; src/api/middlewares.ts combines it with the others. */
export const signInRoutes: MiddlewareRoute[] = [{ matcher: "/auth", middlewares: [limitSignIn] }]
