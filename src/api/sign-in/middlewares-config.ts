import type { MiddlewareRoute } from "@medusajs/framework/http"
import { limitSignIn } from "./limit"

/** What stands before Medusa's own routes; src/api/middlewares.ts puts it together with the others. */
export const signInRoutes: MiddlewareRoute[] = [{ matcher: "/auth", middlewares: [limitSignIn] }]
