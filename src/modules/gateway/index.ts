import type { MedusaContainer } from "@medusajs/framework/types"
import { Module } from "@medusajs/framework/utils"
import keepAccessLogTrue from "./loaders/access-log"
import guardHttpServer from "./loaders/http-server"
import registerResources from "./loaders/resources"
import GatewayModuleService from "./service"

export const GATEWAY_MODULE = "gateway"

/** The gateway of a container, as everything around this module reaches it. */
export function gatewayIn(container: Pick<MedusaContainer, "resolve">): GatewayModuleService {
  return container.resolve<GatewayModuleService>(GATEWAY_MODULE)
}

export default Module(GATEWAY_MODULE, {
  service: GatewayModuleService,
  loaders: [registerResources, keepAccessLogTrue, guardHttpServer],
})
