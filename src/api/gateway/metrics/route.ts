import type { ServerResponse } from "node:http"
import { gatewayOf, type PageRequest } from "../../page-kit/request"
import { send, sendFault, sendJson } from "../../compress"

/**
 * Metrics for Prometheus (docs/operations.md), with GATEWAY_METRICS_TOKEN. Without the token, or when none is
 * configured, the answer is 404.
 */
export async function GET(request: PageRequest, response: ServerResponse): Promise<void> {
  const { metrics } = gatewayOf(request)
  if (!metrics.admits(request.headers.authorization)) {
    return sendJson(response, 404, { type: "not_found", message: "Not found" })
  }
  try {
    const { type, text } = await metrics.render()
    send(response, 200, type, text)
  } catch (error) {
    sendFault(response, request.gatewayPage.services.logger, error)
  }
}
