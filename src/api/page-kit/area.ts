import { compressAnswer } from "../compress"
import type { Arrival } from "../process-services"
import { routeFile } from "../route-files"
import type { PageExchange, PageGate, PageHandler, PageRequest } from "./request"
import type { PageRoute } from "./routes"
import { tracedPage } from "./trace"

/** Every path below `root` is the gateway's, whatever the method. */
export type Area = {
  root: string
  /** Absent for probes, which come every few seconds: the access log leaves them out. */
  isLogged?: true
  answer(arrival: Arrival): Promise<void>
}

type Handlers = Partial<Record<string, PageHandler>>

const HANDLERS = new Map<PageRoute, Handlers>()

/** An area of pages: its gate answers what has no route, and lets the other requests to the route files. */
export function pageArea(root: string, gate: PageGate): Area {
  return { root, isLogged: true, answer: (arrival) => answer(gate, arrival) }
}

async function answer(gate: PageGate, { services, request: incoming, response, target }: Arrival): Promise<void> {
  compressAnswer(incoming, response)
  const gatewayPage: PageExchange = { services, target, route: null, params: {} }
  const request: PageRequest = Object.assign(incoming, { gatewayPage })
  await gate(request, response, () => {
    const { route } = gatewayPage
    const handler = route && handlersOf(route)[request.method === "HEAD" ? "GET" : (request.method ?? "")]
    return handler && tracedPage(route, handler)(request, response)
  })
}

/** What the route file of a page exports: the one that Medusa's router loads, too. */
export function handlersOf(route: PageRoute): Handlers {
  const handlers = HANDLERS.get(route) ?? routeFile<PageHandler>(route.path)
  HANDLERS.set(route, handlers)
  return handlers
}
