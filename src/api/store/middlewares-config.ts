import {
  type AuthenticatedMedusaRequest,
  type MedusaNextFunction,
  type MedusaRequest,
  type MedusaResponse,
  type MiddlewareRoute,
  authenticate,
} from "@medusajs/framework/http"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import { refetchCart } from "@medusajs/medusa/api/store/carts/helpers"
import { messageOf } from "../../i18n/message"
import { translate } from "../../i18n/translate"
import { gatewayIn } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { isGatewayProvider } from "../../modules/gateway/kernel/text/provider-id"
import { CHECKOUT_REQUEST_FIELDS } from "../../providers/gateway-payment/checkout-request"
import { agreeToFreePlans } from "../../store/cart/free-plans"
import { priceTrials, releasePrices } from "../../store/cart/trial-prices"
import { cookieRequestsFrom } from "../sign-in/cookie-request"

/** What Medusa answers, with 500, when a change of a cart ends its checkouts and the provider refuses that for one. */
const NOT_DELETED = "Could not delete all payment sessions"

/**
 * A change of a cart ends its checkout first. While that is being paid, or just was, the gateway refuses, Medusa undoes
 * the change, and forgets the reason: its answer would be 500. It cannot be refused before, because the payment may
 * begin while the change is under way.
 */
function explainRefusal(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction): void {
  const send = response.json.bind(response)
  // Express has other parameters by the time an error is answered.
  const { id } = request.params
  response.json = (body: unknown) => {
    if (response.statusCode !== 500 || (body as { message?: unknown } | null)?.message !== NOT_DELETED) {
      return send(body)
    }
    void isBeingPaid(request, id).then(
      (isPaid) => (isPaid ? sendRefusal(response, send) : send(body)),
      () => send(body)
    )
    return response
  }
  next()
}

function sendRefusal(response: MedusaResponse, send: MedusaResponse["json"]): void {
  const { code, status, message } = new GatewayError("CART_CHANGED", messageOf("refusal.cart_being_paid"))
  response.status(status)
  send({ code, type: "not_allowed", message })
}

async function isBeingPaid(request: MedusaRequest, id: string): Promise<boolean> {
  const query = request.scope.resolve(ContainerRegistrationKeys.QUERY)
  const { transactions } = gatewayIn(request.scope)
  const { data } = await query.graph({
    entity: "cart",
    fields: ["payment_collection.payment_sessions.id"],
    filters: { id },
  })
  const [cart] = data as unknown as { payment_collection?: { payment_sessions?: { id: string }[] } }[]
  const sessions = cart?.payment_collection?.payment_sessions ?? []
  const records = await Promise.all(sessions.map((session) => transactions.ofPaymentSession(session.id)))
  return records.some((record) => record !== null && (record.state === "PROCESSING" || record.verified_at !== null))
}

/** Everybody may ask; the answer depends on who does. */
const perhapsSignedIn = () => authenticate("customer", ["session", "bearer"], { allowUnauthenticated: true })

function signedInOf(request: MedusaRequest): string | null {
  return (request as Partial<AuthenticatedMedusaRequest>).auth_context?.actor_id || null
}

/** Medusa's answer to a change of a cart; `parent` when a line was deleted. */
type CartAnswer = { cart?: { id: string }; parent?: { id: string } }

/**
 * A change of a cart may put in, or free, a line whose trial its customer does not get: the answer has the cart with the
 * price that is due (decisions: One trial). A cart that cannot be priced now is answered as it is, and priced before it
 * is paid.
 */
function priceAfterChange(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction): void {
  const signed_in = signedInOf(request)
  if (signed_in === null) {
    next()
    return
  }
  const send = response.json.bind(response)
  response.json = (body: unknown) => {
    const answer = (body ?? {}) as CartAnswer
    const member = answer.parent === undefined ? "cart" : "parent"
    const id = answer[member]?.id
    if (response.statusCode !== 200 || id === undefined) {
      return send(body)
    }
    void priceTrials(request.scope, id, signed_in)
      .then(async (isPriced) =>
        isPriced ? { ...answer, [member]: await refetchCart(id, request.scope, request.queryConfig.fields) } : body
      )
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : "it failed"
        request.scope.resolve(ContainerRegistrationKeys.LOGGER).warn(`gateway: cart ${id} is not priced: ${why}`)
        return body
      })
      .then(send)
      .catch(next)
    return response
  }
  next()
}

/** Lines with the plan's price stay in the cart when it gets another region. */
async function keepThroughRegion(
  request: MedusaRequest,
  _response: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  if ((request.body as { region_id?: unknown } | undefined)?.region_id !== undefined) {
    await releasePrices(request.scope, request.params.id)
  }
  next()
}

export const cartChangeRoutes: MiddlewareRoute[] = [
  { matcher: "/store/carts", methods: ["POST"], middlewares: [perhapsSignedIn(), priceAfterChange] },
  { matcher: "/store/carts/:id", methods: ["POST"], middlewares: [perhapsSignedIn(), priceAfterChange] },
  { matcher: "/store/carts/:id/*", methods: ["POST", "DELETE"], middlewares: [perhapsSignedIn(), priceAfterChange] },
  { matcher: "/store/carts/:id", methods: ["POST"], middlewares: [keepThroughRegion] },
  { matcher: "/store/carts/:id", methods: ["POST", "DELETE"], middlewares: [explainRefusal] },
  { matcher: "/store/carts/:id/*", methods: ["POST", "DELETE"], middlewares: [explainRefusal] },
  { matcher: "/store/carts/:id/complete", methods: ["POST"], middlewares: [perhapsSignedIn(), agreeToCompletion] },
]

/** The signed-in customer completes a free cart that begins subscriptions: nobody else may. */
async function agreeToCompletion(
  request: MedusaRequest,
  _response: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const signed_in = signedInOf(request)
  try {
    if (await priceTrials(request.scope, request.params.id, signed_in)) {
      throw new GatewayError("CART_CHANGED", messageOf("refusal.trial_had"))
    }
    await agreeToFreePlans(request.scope, request.params.id, signed_in)
    next()
  } catch (error) {
    next(GatewayError.is(error) ? new MedusaError(MedusaError.Types.INVALID_DATA, error.message) : error)
  }
}

type Body = { provider_id?: unknown; data?: unknown }
type PaidCart = { id: string; completed_at: Date | null }

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
  const cart = await cartOfCollection(request)
  if (cart?.completed_at) {
    next(new MedusaError(MedusaError.Types.INVALID_DATA, translate(messageOf("refusal.cart_none"))))
    return
  }
  // Somebody's trial may have begun since the cart was priced: the payment page shows the price that holds now.
  await (cart && priceTrials(request.scope, cart.id, signedInOf(request)))
  next()
}

/**
 * Medusa asks the provider for the new payment session while it deletes the former one. Of a cart that has its order both
 * fail, and the answer is 500 when the deletion fails first: so it is refused here.
 */
async function cartOfCollection(request: MedusaRequest): Promise<PaidCart | null> {
  const query = request.scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data: links } = await query.graph({
    entity: "cart_payment_collection",
    fields: ["cart_id", "cart.id", "cart.completed_at"],
    filters: { payment_collection_id: request.params.id },
  })
  return (links as { cart?: PaidCart | null }[])[0]?.cart ?? null
}

function requestsOf(data: unknown): Record<string, unknown> {
  const given = typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {}
  return Object.fromEntries(
    CHECKOUT_REQUEST_FIELDS.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]])
  )
}

export const paymentSessionRoutes: MiddlewareRoute[] = [
  {
    matcher: "/store/payment-collections/:id/payment-sessions",
    methods: ["POST"],
    middlewares: [perhapsSignedIn(), admitPaymentSession],
  },
]

/** The routes of a customer's own things require a signed-in customer of the store; everybody else gets 401. */
const signedIn = () => authenticate("customer", ["session", "bearer"])

export const shopperRoutes: MiddlewareRoute[] = [
  { matcher: "/store/gateway", middlewares: [cookieRequestsFrom("storeCors")] },
  { matcher: "/store/gateway/subscriptions*", middlewares: [signedIn()] },
  { matcher: "/store/gateway/payment-methods*", middlewares: [signedIn()] },
  { matcher: "/store/gateway/checkouts*", middlewares: [signedIn()] },
  { matcher: "/store/gateway/portal-sessions*", middlewares: [signedIn()] },
  { matcher: "/store/gateway/variant-plans", middlewares: [perhapsSignedIn()] },
  { matcher: "/store/gateway/orders/:id/payment", middlewares: [perhapsSignedIn()] },
]
