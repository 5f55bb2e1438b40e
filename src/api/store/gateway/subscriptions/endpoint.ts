import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { gatewayIn } from "../../../../modules/gateway"
import type GatewayModuleService from "../../../../modules/gateway/service"
import type { Owner, OwnSubscription } from "../../../../modules/gateway/subscriptions/store/subscriptions"
import type { Scope } from "../../../../modules/gateway/kernel/types"
import { parsedBody, type JsonObject } from "../../../v2-kit/body"
import { answering, guarded } from "../../../admin-kit/endpoint"
import { storeScope } from "../../../gateway/store-scope"

export type ShopperContext = {
  request: AuthenticatedMedusaRequest
  gateway: GatewayModuleService
  /** The signed-in customer, in the store's own merchant at the current moment of its clock. */
  owner: Owner & Scope
  body: JsonObject
  query: JsonObject
}

type OwnContext = ShopperContext & { row: OwnSubscription }

/** An operation of a signed-in customer of the store. */
export function shopperEndpoint(operation: (context: ShopperContext) => Promise<object>) {
  return answering(async (request) => operation(await contextOf(request)))
}

/** Like `shopperEndpoint`, for the subscription in the path: the customer's own, else 404 SUBSCRIPTION_NOT_FOUND. */
export function ownSubscription(operation: (context: OwnContext) => Promise<object>) {
  return shopperEndpoint(async (context) => operation(await withOwn(context)))
}

/** Like `ownSubscription`, for downloads; a refusal is still JSON. */
export function ownFile(operation: (context: OwnContext) => Promise<{ name: string; type: string; bytes: Buffer }>) {
  return guarded(async (request, response) => {
    const { name, type, bytes } = await operation(await withOwn(await contextOf(request)))
    response.set("Content-Type", type).set("Content-Disposition", `attachment; filename="${name}"`).send(bytes)
  })
}

async function contextOf(request: AuthenticatedMedusaRequest): Promise<ShopperContext> {
  const gateway = gatewayIn(request.scope)
  const owner = { ...(await storeScope(gateway)), store_customer_id: request.auth_context.actor_id }
  return { request, gateway, owner, body: parsedBody(request.body), query: request.query as JsonObject }
}

async function withOwn(context: ShopperContext): Promise<OwnContext> {
  const row = await context.gateway.storeSubscriptions.retrieve(context.owner, context.request.params.id)
  return { ...context, row }
}
