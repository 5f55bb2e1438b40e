import type { MedusaRequest } from "@medusajs/framework/http"
import { clientAddress } from "../../modules/gateway/kernel/ip"
import type GatewayModuleService from "../../modules/gateway/service"

/** The caller's address, for allow-lists and rate limits: the one behind TRUSTED_PROXIES, never `request.ip`. */
export function addressOf(gateway: GatewayModuleService, request: MedusaRequest): string {
  const forwarded = request.headers["x-forwarded-for"]
  const list = Array.isArray(forwarded) ? forwarded.join(",") : forwarded
  return clientAddress(request.socket.remoteAddress, list, gateway.options.trustedProxies)
}
