import type { IncomingMessage, ServerResponse } from "node:http"
import type { Attributes, Span } from "@medusajs/framework/opentelemetry/api"
import { inSpan, telemetry } from "../../modules/gateway/kernel/http/tracing"
import type { Handler } from "./types"

type Answered = { request: IncomingMessage; response: ServerResponse }
/** `path`: the route's, with the names of its parameters; their values may be secrets. */
type Described = { path: string; attributes: Attributes }

/**
 * Answers a request in a span when somebody traces, below the span of an http instrumentation if there is one. A
 * `traceparent` that a caller sends is not followed: who sends it has no say in which of our requests are recorded.
 */
export function inRequestSpan(
  { request, response }: Answered,
  describe: () => Described,
  work: (span?: Span) => Promise<void>
): Promise<void> {
  const api = telemetry()
  if (api === undefined) {
    return work()
  }
  const { path, attributes: own } = describe()
  const method = request.method ?? ""
  const attributes = { "http.request.method": method, "http.route": path, ...own }
  return inSpan(api, { name: `${method} ${path}`, kind: "SERVER", attributes }, async (span) => {
    await work(span)
    span.setAttribute("http.response.status_code", response.statusCode)
    if (response.statusCode >= 500) {
      span.setStatus({ code: api.SpanStatusCode.ERROR })
    }
  })
}

/** The handler of an operation, each of its requests in a span. */
export function traced(handler: Handler): Handler {
  return (request, response) => {
    const exchange = request.gatewayExchange
    const describe = () => ({
      path: `/api/v2${exchange.route.path}`,
      attributes: { "gateway.environment": exchange.environment, "gateway.request_id": exchange.requestId },
    })
    return inRequestSpan({ request, response }, describe, async (span) => {
      await handler(request, response)
      if (exchange.caller !== undefined) {
        span?.setAttribute("gateway.merchant_id", exchange.caller.merchant_id)
      }
    })
  }
}
