import type { MedusaNextFunction, MedusaRequest, MedusaResponse, MiddlewareRoute } from "@medusajs/framework/http"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { translate } from "../../i18n/translate"
import { isGatewayProvider } from "../../modules/gateway/kernel/provider-id"
import { CHECKOUT_REQUEST_FIELDS } from "../../providers/gateway-payment/checkout-request"

type Body = { provider_id?: unknown; data?: unknown }

/**
 * Runs before Medusa makes a payment session of ours, and passes on only the data that a storefront may specify. Medusa
 * commits the rest as it came before it asks the provider, so the payment session would have another one's data for a
 * while. A cart that has its order gets no other payment session.
 */
async function admitPaymentSession(
  request: MedusaRequest,
  _response: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const provider_id = (request.body as Body | undefined)?.provider_id
  if (typeof provider_id !== "string" || !isGatewayProvider(provider_id)) {
    next()
    return
  }
  for (const body of [request.body, request.validatedBody] as (Body | undefined)[]) {
    if (body !== undefined) {
      body.data = requestsOf(body.data)
    }
  }
  if (await isOfCompletedCart(request)) {
    next(new MedusaError(MedusaError.Types.INVALID_DATA, translate(messageOf("refusal.cart_none"))))
    return
  }
  next()
}

/**
 * Medusa asks the provider for the new payment session while it deletes the former one. Of a cart that has its order both
 * fail, and the answer is 500 when the deletion fails first: so it is refused here.
 */
async function isOfCompletedCart(request: MedusaRequest): Promise<boolean> {
  const query = request.scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data: links } = await query.graph({
    entity: "cart_payment_collection",
    fields: ["cart_id", "cart.completed_at"],
    filters: { payment_collection_id: request.params.id },
  })
  return (links as { cart?: { completed_at: Date | null } | null }[]).some(({ cart }) => Boolean(cart?.completed_at))
}

function requestsOf(data: unknown): Record<string, unknown> {
  const given = typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {}
  return Object.fromEntries(
    CHECKOUT_REQUEST_FIELDS.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]])
  )
}

export const paymentSessionRoutes: MiddlewareRoute[] = [
  { matcher: "/store/payment-collections/:id/payment-sessions", methods: ["POST"], middlewares: [admitPaymentSession] },
]
