import { isCash } from "./cash"
import { codeOf, errorOf } from "./errors"
import { type Language, METHOD_DATA, type PaymentMethod } from "./texts"
import type { CartRef, PaymentSdk, SdkHeaders, StartedPayment } from "./types"

/** Medusa's id of the payment provider that the package registers. */
export const GATEWAY_PROVIDER = "pp_gateway_default"

/**
 * Whether a payment provider is the gateway's online one: `pp_gateway_default`, or with another id of the store's
 * configuration. Pass its id to `startPayment`. Cash on delivery is `isCash`.
 */
export const isGateway = (providerId: string | null | undefined): boolean =>
  (providerId?.startsWith("pp_gateway_") ?? false) && !isCash(providerId)

export type StartOptions = {
  /**
   * Where the shopper lands afterwards: absolute, at most 255 characters, without a hash, on an origin that the store
   * knows (STORE_CORS, GATEWAY_PUBLIC_URL, GATEWAY_RETURN_ORIGINS). The gateway appends `transaction_id`, `status` and
   * `order_id` to its query.
   */
  returnUrl: string
  /**
   * What the shopper has chosen. One that is paid on its acquirer's page opens there at once, where the payment page has
   * nothing else to choose; otherwise the payment page opens with it.
   */
  method?: PaymentMethod
  /** The `uuid` of an instalment offer that the shopper has chosen. */
  emiConfigurationId?: string
  /** The language of the error. The payment page opens in the language of the cart's `locale`. */
  language?: Language
  /** Default: `pp_gateway_default`. */
  provider?: string | undefined
  /** Sent with the requests, such as a signed-in customer's `authorization` from a server. */
  headers?: SdkHeaders
}

/**
 * Makes a payment session for the cart as it is now, and answers the address of the payment page. Called again for the
 * same cart it makes a new one: Medusa ends the former, so a cart never has two payments open. Never rejects.
 */
export async function startPayment<Cart extends CartRef>(
  sdk: PaymentSdk<Cart>,
  cart: Cart,
  options: StartOptions
): Promise<StartedPayment> {
  const { returnUrl, method, emiConfigurationId, language = "en", provider = GATEWAY_PROVIDER, headers = {} } = options
  const data = {
    return_url: returnUrl,
    ...(method === undefined ? {} : METHOD_DATA[method]),
    ...(emiConfigurationId === undefined ? {} : { ...METHOD_DATA.card, emi_configuration_id: emiConfigurationId }),
  }
  try {
    const body = { provider_id: provider, data }
    const { payment_collection } = await sdk.store.payment.initiatePaymentSession(cart, body, {}, headers)
    const session = payment_collection.payment_sessions?.find(({ provider_id }) => provider_id === provider)
    const { checkout_url: url, session_id: sessionId, expires_at: expiresAt } = session?.data ?? {}
    if (typeof url !== "string" || !/^https?:\/\//.test(url) || typeof sessionId !== "string") {
      return { ok: false, error: errorOf("unavailable", "the payment session has no checkout_url", language) }
    }
    return { ok: true, url, sessionId, expiresAt: typeof expiresAt === "string" ? expiresAt : null }
  } catch (error) {
    return { ok: false, error: errorOf(error, null, language) }
  }
}

/**
 * Whether a cart costs nothing, as with a discount of 100 %: then there is no payment to start, and the store makes the
 * order when the cart is completed (`sdk.store.cart.complete`).
 */
export function isFree(cart: { total?: unknown }): boolean {
  return cart.total === 0
}

/** In whole units: below it a total is refused, whatever the way of paying. */
const MINIMUM = { home: 10, other: 0.5 }

/**
 * The smallest total that can be paid in a cart's currency, when the cart costs something, but less than that; otherwise
 * null. Say so before the shopper presses Pay, with `textsOf(language).belowMinimum`.
 */
export function missedMinimum({ total, currency_code }: { total?: unknown; currency_code?: string }): number | null {
  const minimum = currency_code?.toLowerCase() === "bdt" ? MINIMUM.home : MINIMUM.other
  return typeof total === "number" && total > 0 && total < minimum ? minimum : null
}

/**
 * Whether a cart has been paid already, in another browser or another tab: this browser still has its id, and every
 * change of it is refused. Forget it then, and start a new one. Takes a cart (with its field `completed_at`) or the
 * error of a request that changes one.
 */
export function isSpent(cartOrError: unknown): boolean {
  const { completed_at, status } = Object(cartOrError) as { completed_at?: unknown; status?: unknown }
  if (typeof status === "number") {
    return codeOf(cartOrError) === "cart_completed"
  }
  return completed_at !== null && completed_at !== undefined
}
