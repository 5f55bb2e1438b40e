import { compressAnswer } from "../compress"
import type { Arrival } from "../process-services"
import { routeFile } from "../route-files"
import { inRequestSpan } from "../v2-kit/trace"
import type { PageExchange, PageGate, PageHandler, PageRequest } from "./request"
import type { PageRoute } from "./routes"

/** Every path below `root` is the gateway's, whatever the method. */
export type Area = {
  root: string
  /** The access log leaves probes out, which come every few seconds. */
  isLogged: boolean
  answer(arrival: Arrival): Promise<void>
}

type Handlers = Partial<Record<string, PageHandler>>

const HANDLERS = new Map<PageRoute, Handlers>()

/** An area of pages: its gate answers what has no route, and lets the other requests to the route files. */
export function pageArea(root: string, gate: PageGate, { isLogged = true } = {}): Area {
  return { root, isLogged, answer: (arrival) => answer(gate, arrival) }
}

async function answer(gate: PageGate, arrival: Arrival): Promise<void> {
  const { services, request: incoming, response, target, requestId } = arrival
  compressAnswer(incoming, response)
  const gatewayPage: PageExchange = { services, target, route: null, params: {} }
  const request: PageRequest = Object.assign(incoming, { gatewayPage })
  await gate(request, response, () => {
    const { route } = gatewayPage
    const handler = route && handlersOf(route)[request.method === "HEAD" ? "GET" : (request.method ?? "")]
    const describe = () => ({
      path: route?.path ?? "",
      attributes: { "gateway.environment": services.gateway.options.environment, "gateway.request_id": requestId },
    })
    return handler && inRequestSpan({ request, response }, describe, () => handler(request, response))
  })
}

/** What the route file of a page exports: the one that Medusa's router loads, too. */
export function handlersOf(route: PageRoute): Handlers {
  const handlers = HANDLERS.get(route) ?? routeFile<PageHandler>(route.path)
  HANDLERS.set(route, handlers)
  return handlers
}
