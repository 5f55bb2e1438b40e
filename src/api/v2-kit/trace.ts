import { inSpan, telemetry, type Telemetry } from "../../modules/gateway/kernel/tracing"
import type { ContractRequest, Handler } from "./exchange"

/** The same handler, each of its requests in a span when somebody traces. */
export function traced(handler: Handler): Handler {
  return (request, response) => {
    const api = telemetry()
    return api === undefined ? handler(request, response) : inRequestSpan(api, request, response, handler)
  }
}

/**
 * Below the span of an http instrumentation if there is one. A `traceparent` that a caller sends is not followed: it is a
 * merchant's, who has no say in which of our requests are recorded.
 */
function inRequestSpan(
  api: Telemetry,
  request: ContractRequest,
  response: Parameters<Handler>[1],
  handler: Handler
): Promise<void> {
  const exchange = request.gatewayExchange
  const { environment, requestId, route } = exchange
  const path = `/api/v2${route.path}`
  const attributes = {
    "http.request.method": request.method ?? "",
    "http.route": path,
    "gateway.environment": environment,
    "gateway.request_id": requestId,
  }
  const name = `${request.method ?? ""} ${path}`
  return inSpan(api, { name, kind: "SERVER", attributes }, async (span) => {
    await handler(request, response)
    span.setAttribute("http.response.status_code", response.statusCode)
    if (exchange.caller !== undefined) {
      span.setAttribute("gateway.merchant_id", exchange.caller.merchant_id)
    }
    if (response.statusCode >= 500) {
      span.setStatus({ code: api.SpanStatusCode.ERROR })
    }
  })
}
