import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../../../modules/gateway"
import type GatewayModuleService from "../../../modules/gateway/service"
import type { LoadPage } from "../view/checkout-page"

export function gatewayOf(scope: MedusaContainer): GatewayModuleService {
  return scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
}

/** Reads checkouts through the gateway module; nothing under /pay touches its tables. `accountKey`: the browser's. */
export function pageLoader(scope: MedusaContainer, accountKey: string | null = null): LoadPage {
  const { checkoutPages } = gatewayOf(scope)
  return (sessionId) => checkoutPages.page(sessionId, accountKey)
}
