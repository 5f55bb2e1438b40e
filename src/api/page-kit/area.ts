import { compressAnswer } from "../compress"
import type { Arrival } from "../process-services"
import { inRequestSpan } from "../v2-kit/trace"
import type { PageExchange, PageGate, PageRequest } from "./request"

/** Every path below `root` is the gateway's, whatever the method. */
export type Area = {
  root: string
  /** The access log leaves probes out, which come every few seconds. */
  isLogged: boolean
  answer(arrival: Arrival): Promise<void>
}

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
    const handler = route?.handlers[request.method === "HEAD" ? "GET" : (request.method ?? "")]
    const describe = () => ({
      path: route?.path ?? "",
      attributes: { "gateway.environment": services.gateway.options.environment, "gateway.request_id": requestId },
    })
    return handler && inRequestSpan({ request, response }, describe, () => handler(request, response))
  })
}
