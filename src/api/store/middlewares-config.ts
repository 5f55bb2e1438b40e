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
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { isGatewayProvider } from "../../modules/gateway/kernel/text/provider-id"
import { CHECKOUT_REQUEST_FIELDS } from "../../providers/gateway-payment/checkout-request"
import { isMoneyKept } from "../../providers/gateway-payment/session"
import { agreeToFreePlans } from "../../store/cart/free-plans"
import { asLineOfCart, priceTrials, releasePrices, type AddedLine } from "../../store/cart/trial-prices"
import { cookieRequestsFrom } from "../sign-in/cookie-request"

/** What Medusa answers, with 500, when a change of a cart ends its checkouts and the provider refuses that for one. */
const NOT_DELETED = "Could not delete all payment sessions"

/**
 * A change of a cart, and another payment session, end its checkout first. While that is being paid, or just was, the
 * gateway refuses, Medusa undoes the change, and forgets the reason: its answer would be 500. A payment may begin while
 * the change is under way, so the answer is looked at, whatever was checked before.
 */
const explainRefusal =
  (cartOf: CartReader, refusal: () => GatewayError) =>
  (request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction): void => {
    const send = response.json.bind(response)
    // Express has other parameters by the time an error is answered.
    const { id } = request.params
    response.json = (body: unknown) => {
      if (response.statusCode !== 500 || (body as { message?: unknown } | null)?.message !== NOT_DELETED) {
        return send(body)
      }
      void isBeingPaid(request, cartOf, id).then(
        (isPaid) => (isPaid ? sendRefusal(response, send, refusal()) : send(body)),
        () => send(body)
      )
      return response
    }
    next()
  }

const notChanged = () => new GatewayError("CART_CHANGED", messageOf("refusal.cart_being_paid"))
const noSecondPayment = () => new GatewayError("CART_CHANGED", messageOf("refusal.cart_second_payment"))

function sendRefusal(response: MedusaResponse, send: MedusaResponse["json"], refusal: GatewayError): void {
  response.status(refusal.status)
  send({ code: refusal.code, type: "not_allowed", message: refusal.message })
}

type OwnCart = { id: string; completed_at: Date | null; payment_sessions: readonly string[] }
/** The cart that a path names by its own id or by that of its payment collection; null: there is none. */
type CartReader = (request: MedusaRequest, id: string) => Promise<OwnCart | null>

async function isBeingPaid(request: MedusaRequest, cartOf: CartReader, id: string): Promise<boolean> {
  const cart = await cartOf(request, id)
  return cart !== null && (await isPaidNow(request, cart))
}

/** What the provider does not let Medusa delete: a payment under way or held, or money that is taken or authorised. */
async function isPaidNow(request: MedusaRequest, { payment_sessions }: OwnCart): Promise<boolean> {
  const { transactions } = gatewayIn(request.scope)
  const records = await Promise.all(payment_sessions.map((session) => transactions.ofPaymentSession(session)))
  const isUnderWay = ({ state }: PaymentRecord) => state === "PROCESSING" || state === "HELD"
  return records.some((record) => record !== null && (isUnderWay(record) || isMoneyKept(record)))
}

type CartRow = { id: string; completed_at: Date | null; payment_collection?: { payment_sessions?: { id: string }[] } }
const CART_FIELDS = ["id", "completed_at", "payment_collection.payment_sessions.id"]

function ownCart({ id, completed_at, payment_collection }: CartRow): OwnCart {
  return { id, completed_at, payment_sessions: (payment_collection?.payment_sessions ?? []).map((one) => one.id) }
}

const cartById: CartReader = async (request, id) => {
  const query = request.scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "cart", fields: CART_FIELDS, filters: { id } })
  const [cart] = data as unknown as CartRow[]
  return cart === undefined ? null : ownCart(cart)
}

const cartOfCollection: CartReader = async (request, payment_collection_id) => {
  const query = request.scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "cart_payment_collection",
    fields: ["cart_id", ...CART_FIELDS.map((field) => `cart.${field}`)],
    filters: { payment_collection_id },
  })
  const [link] = data as unknown as { cart?: CartRow | null }[]
  return link?.cart ? ownCart(link.cart) : null
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

/** Runs after Medusa's check of the request: a shopper can send no price. */
async function addToOwnLine(
  request: MedusaRequest,
  _response: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const added = request.validatedBody as AddedLine
  request.validatedBody = await asLineOfCart(request.scope, request.params.id, added)
  next()
}

export const cartChangeRoutes: MiddlewareRoute[] = [
  { matcher: "/store/carts", methods: ["POST"], middlewares: [perhapsSignedIn(), priceAfterChange] },
  { matcher: "/store/carts/:id", methods: ["POST"], middlewares: [perhapsSignedIn(), priceAfterChange] },
  { matcher: "/store/carts/:id/*", methods: ["POST", "DELETE"], middlewares: [perhapsSignedIn(), priceAfterChange] },
  { matcher: "/store/carts/:id", methods: ["POST"], middlewares: [keepThroughRegion] },
  { matcher: "/store/carts/:id", methods: ["POST", "DELETE"], middlewares: [explainRefusal(cartById, notChanged)] },
  { matcher: "/store/carts/:id/*", methods: ["POST", "DELETE"], middlewares: [explainRefusal(cartById, notChanged)] },
  { matcher: "/store/carts/:id/line-items", methods: ["POST"], middlewares: [addToOwnLine] },
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

/**
 * Runs before Medusa makes a payment session, and passes on to ours only the data that a storefront may specify. Medusa
 * commits the rest as it came before it asks the provider, so the payment session would have another one's data for a
 * while. A cart that has its order, or is being paid, gets no other payment session, whatever its provider: Medusa asks
 * for the new one while it deletes the former, which fails, and answers 500.
 */
async function admitPaymentSession(
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const provider_id = (request.body as Body | undefined)?.provider_id
  const isOurs = typeof provider_id === "string" && isGatewayProvider(provider_id)
  for (const body of isOurs ? ([request.body, request.validatedBody] as (Body | undefined)[]) : []) {
    if (body !== undefined) {
      body.data = requestsOf(body.data)
    }
  }
  const cart = await cartOfCollection(request, request.params.id)
  if (isOurs && cart?.completed_at) {
    next(new MedusaError(MedusaError.Types.INVALID_DATA, translate(messageOf("refusal.cart_none"))))
    return
  }
  if (cart !== null && (await isPaidNow(request, cart))) {
    sendRefusal(response, response.json.bind(response), noSecondPayment())
    return
  }
  // Somebody's trial may have begun since the cart was priced: the payment page shows the price that holds now.
  await (isOurs && cart && priceTrials(request.scope, cart.id, signedInOf(request)))
  next()
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
    middlewares: [perhapsSignedIn(), explainRefusal(cartOfCollection, noSecondPayment), admitPaymentSession],
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
