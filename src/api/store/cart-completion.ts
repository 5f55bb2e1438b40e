import type { MedusaNextFunction, MedusaRequest, MedusaResponse, MiddlewareRoute } from "@medusajs/framework/http"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type GatewayModuleService from "../../modules/gateway/service"
import { forVisitor } from "../../store/remote/visitor"
import { addressOf } from "../v2-kit/address"

/** Completing a cart may ask another deployment about its payment: inquiries are counted by the visitor's address. */
function knowVisitor(request: MedusaRequest, _response: MedusaResponse, next: MedusaNextFunction): void {
  forVisitor(addressOf(request.scope.resolve<GatewayModuleService>(GATEWAY_MODULE), request), () => next())
}

export const cartCompletionRoutes: MiddlewareRoute[] = [
  { matcher: "/store/carts/:id/complete", methods: ["POST"], middlewares: [knowVisitor] },
]
