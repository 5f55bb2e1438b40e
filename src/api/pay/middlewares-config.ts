import type { MiddlewareRoute } from "@medusajs/framework/http"
import { EVERY_METHOD } from "../every-method"
import { inMedusa } from "../page-kit/medusa"
import { payGate } from "./http/gate"

/**
 * The settings of Medusa's router for the hosted page; src/api/middlewares.ts combines them with the others.
 * - The gate's matcher is the bare prefix: Express decodes what a `*` matches and throws on `%ff`.
 * - Medusa's body parsers are off: they run first and answer their errors as JSON. http/body.ts reads forms.
 */
export const payRoutes: MiddlewareRoute[] = [
  { matcher: "/pay", middlewares: [inMedusa(payGate)] },
  { matcher: "/pay/*", methods: EVERY_METHOD, bodyParser: false },
]
