import { Module } from "@medusajs/framework/utils"
import keepAccessLogTrue from "./loaders/access-log"
import guardHttpServer from "./loaders/http-server"
import registerResources from "./loaders/resources"
import GatewayModuleService from "./service"

export const GATEWAY_MODULE = "gateway"

export default Module(GATEWAY_MODULE, {
  service: GatewayModuleService,
  loaders: [registerResources, keepAccessLogTrue, guardHttpServer],
})
