import { METHODS } from "node:http"
import type { MedusaRequest, MedusaResponse, MiddlewareRoute, MiddlewareVerb } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { AREAS, areaOf } from "../api/areas"
import type { Area } from "../api/page-kit/area"
import { requestIdOf } from "../api/v2-kit/exchange"
import { gatewayIn } from "../modules/gateway"
import { doorOf } from "."

/**
 * All are listed because Medusa otherwise exempts only the usual ones from its parser: a SEARCH or TRACE with a malformed
 * body would be refused in Medusa's shape, before our own 405.
 */
const EVERY_METHOD = METHODS as MiddlewareVerb[]
const WARNED = new WeakSet<object>()

/**
 * Where the door could not be taken (an https server, a Node without the channel), Express passes on what is the
 * gateway's. A root is mounted as a prefix, so that a path that does not decode reaches it instead of Express's own error.
 * Medusa's parsers are off: the gateway reads bodies itself.
 */
export const frontDoorRoutes: MiddlewareRoute[] = AREAS.flatMap((area) => [
  { matcher: area.root, methods: EVERY_METHOD, bodyParser: false },
  { matcher: `${area.root}/*`, methods: EVERY_METHOD, bodyParser: false },
  { matcher: area.root, middlewares: [answerIn(area)] },
])

function answerIn(area: Area) {
  return function answerBehindExpress(request: MedusaRequest, response: MedusaResponse): void {
    // The targets that Express alone takes for ours, URLs of other schemes, say nothing of the door.
    if (areaOf(request.originalUrl) !== null) {
      warn(request)
    }
    // Medusa takes the id from its header or makes one; its access log is to have the one that is answered.
    request.requestId = requestIdOf(request.requestId)
    response.removeHeader("X-Powered-By")
    doorOf(request.scope).answer(area, request, response, request.requestId)
  }
}

function warn({ scope }: MedusaRequest): void {
  const gateway = gatewayIn(scope)
  if (!WARNED.has(gateway)) {
    WARNED.add(gateway)
    scope
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(
        "gateway: the front door of this http server could not be taken, so Express passes the gateway's requests on: they cost more (docs/hosts.md)"
      )
  }
}
