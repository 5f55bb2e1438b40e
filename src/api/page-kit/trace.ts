import { inSpan, telemetry } from "../../modules/gateway/kernel/tracing"
import type { PageHandler } from "./request"
import type { PageRoute } from "./routes"

/** The same handler, its request in a span when somebody traces. The path in it is the route's: addresses are secrets. */
export function tracedPage({ path }: PageRoute, handler: PageHandler): PageHandler {
  return (request, response) => {
    const api = telemetry()
    if (api === undefined) {
      return handler(request, response)
    }
    const method = request.method ?? ""
    const attributes = { "http.request.method": method, "http.route": path }
    return inSpan(api, { name: `${method} ${path}`, kind: "SERVER", attributes }, async (span) => {
      await handler(request, response)
      span.setAttribute("http.response.status_code", response.statusCode)
      if (response.statusCode >= 500) {
        span.setStatus({ code: api.SpanStatusCode.ERROR })
      }
    })
  }
}
