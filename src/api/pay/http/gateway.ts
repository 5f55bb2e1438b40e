import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../../../modules/gateway"
import type GatewayModuleService from "../../../modules/gateway/service"
import type { LoadPage } from "../flow/show-page"

/** What the hosted page uses of the gateway module. */
export type PageGateway = Pick<GatewayModuleService, "checkoutPages" | "options">

export function gatewayOf(scope: MedusaContainer): PageGateway {
  return scope.resolve<PageGateway>(GATEWAY_MODULE)
}

/** Reads checkouts through the gateway module; nothing under /pay touches its tables. */
export function pageLoader(scope: MedusaContainer): LoadPage {
  const { checkoutPages } = gatewayOf(scope)
  return (sessionId) => checkoutPages.page(sessionId)
}
