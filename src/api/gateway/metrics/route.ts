import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { GATEWAY_MODULE } from "../../../modules/gateway"
import type GatewayModuleService from "../../../modules/gateway/service"

/**
 * Metrics for Prometheus (docs/operations.md), with GATEWAY_METRICS_TOKEN. Without the token, or when none is
 * configured, the answer is 404.
 */
export const GET = async (request: MedusaRequest, response: MedusaResponse) => {
  const gateway = request.scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  response.set("Cache-Control", "no-store")
  if (!gateway.metrics.admits(request.headers.authorization)) {
    response.status(404).json({ type: "not_found", message: "Not found" })
    return
  }
  const { type, text } = await gateway.metrics.render()
  response.set("Content-Type", type).send(text)
}
