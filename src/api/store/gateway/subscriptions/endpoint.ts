import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { GATEWAY_MODULE } from "../../../../modules/gateway"
import type GatewayModuleService from "../../../../modules/gateway/service"
import type { Owner, OwnSubscription } from "../../../../modules/gateway/services/store-subscription"
import type { Scope } from "../../../../modules/gateway/types"
import type { JsonObject } from "../../../contract/body"
import { answering } from "../../../desk/endpoint"
import { storeScope } from "../../../gateway/store-scope"

export type ShopperContext = {
  request: AuthenticatedMedusaRequest
  gateway: GatewayModuleService
  /** The signed-in customer, in the store's own merchant at this moment of its clock. */
  owner: Owner & Scope
  body: JsonObject
  query: JsonObject
}

/** An operation of a signed-in customer of the store. */
export function shopperEndpoint(operation: (context: ShopperContext) => Promise<object>) {
  return answering(async (request) => {
    const gateway = request.scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
    const owner = { ...(await storeScope(gateway)), store_customer_id: request.auth_context.actor_id }
    return operation({ request, gateway, owner, body: (request.body ?? {}) as JsonObject, query: request.query as JsonObject })
  })
}

/** Like `shopperEndpoint`, about one subscription of the path: the customer's own, else 404 SUBSCRIPTION_NOT_FOUND. */
export function ownSubscription(operation: (context: ShopperContext & { row: OwnSubscription }) => Promise<object>) {
  return shopperEndpoint(async (context) => {
    const row = await context.gateway.storeSubscriptions.retrieve(context.owner, context.request.params.id)
    return operation({ ...context, row })
  })
}
