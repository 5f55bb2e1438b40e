import type { MedusaRequest, MedusaResponse, MiddlewareRoute } from "@medusajs/framework/http"
import { answerContract } from "../contract"
import { EVERY_METHOD } from "../every-method"
import { servicesOf } from "../store-services"
import { requestIdOf } from "./exchange"
import { placeInContract } from "./target"

/* The kit of `/api/v2` in a store: the only file of it that knows Medusa's requests. */

/**
 * Answers before Medusa's router tries some 1,250 layers one after the other (docs/decisions/0078). It is mounted by
 * prefix, so that a path that does not decode reaches it instead of Express's own error.
 */
function answerInStore(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  // Medusa takes the request's id from its header or makes one; its access log is to have the one that is answered.
  const requestId = requestIdOf(request.requestId)
  request.requestId = requestId
  const target = request.originalUrl
  // Not Express's `path`: a mount swallows the first of two slashes. Express also takes URLs of other schemes for ours:
  // they are answered 404, as an API process does.
  const { path, isSandbox } = placeInContract(target) ?? { path: "/", isSandbox: false }
  return answerContract({ services: servicesOf(request.scope), request, response, target, path, requestId }, isSandbox)
}

/** A body is the kit's to read: it is refused in the contract's shape, after the same checks as in an API process. */
export const contractRoutes: MiddlewareRoute[] = ["/api/v2", "/sandbox/api/v2"].flatMap((matcher) => [
  { matcher: `${matcher}/*`, methods: EVERY_METHOD, bodyParser: false },
  { matcher, middlewares: [answerInStore] },
])
