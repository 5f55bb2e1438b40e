import { errorOf } from "./errors"
import type { Language } from "./texts"
import type { CartRef, PaymentSdk, PostSdk, SdkHeaders, ShopperError } from "./types"

/** Medusa's id of the payment provider of cash on delivery. */
export const CASH_PROVIDER = "pp_gateway_cod"

export const isCash = (providerId: string | null | undefined): boolean => providerId === CASH_PROVIDER

export type CashOptions = {
  /** Where the shopper lands after an advance, as for `startPayment`. */
  returnUrl: string
  /** The language of the error. */
  language?: Language
  headers?: SdkHeaders
}

/** Both sums as decimal text; show them before the shopper confirms. */
export type ChosenCash = {
  total: string
  /** The advance; "0.00": nothing is paid online. */
  dueNow: string
  dueInCash: string
  /** The order is placed once a code has been entered: `sendCode`, `confirmCode`, then `placeCashOrder`. */
  needsCode: boolean
  /** Where the advance is paid; null: call `placeCashOrder`. */
  url: string | null
  sessionId: string | null
}

type Failed = { ok: false; error: ShopperError }

/**
 * Chooses cash on delivery for the cart as it is now: makes its payment session, which ends that of another method.
 * Called again it answers the sums of now. Never rejects.
 */
export async function chooseCash<Cart extends CartRef>(
  sdk: PaymentSdk<Cart>,
  cart: Cart,
  { returnUrl, language = "en", headers = {} }: CashOptions
): Promise<({ ok: true } & ChosenCash) | Failed> {
  try {
    const body = { provider_id: CASH_PROVIDER, data: { return_url: returnUrl } }
    const { payment_collection } = await sdk.store.payment.initiatePaymentSession(cart, body, {}, headers)
    const chosen = readCash(payment_collection.payment_sessions)
    return chosen === null
      ? { ok: false, error: errorOf("unavailable", "the payment session has no sums", language) }
      : { ok: true, ...chosen }
  } catch (error) {
    return { ok: false, error: errorOf(error, null, language) }
  }
}

/** What is due by the payment sessions of a cart (`cart.payment_collection.payment_sessions`); null: cash is not chosen. */
export function readCash(
  sessions: readonly { provider_id: string; data?: Record<string, unknown> }[] | null | undefined
): ChosenCash | null {
  const data = sessions?.find(({ provider_id }) => isCash(provider_id))?.data ?? {}
  const { total, due_now: dueNow, due_in_cash: dueInCash, checkout_url: url, session_id: sessionId } = data
  if (typeof total !== "string" || typeof dueNow !== "string" || typeof dueInCash !== "string") {
    return null
  }
  const isPage = typeof url === "string" && /^https?:\/\//.test(url) && typeof sessionId === "string"
  return {
    ...{ total, dueNow, dueInCash, needsCode: data.needs_code === true },
    ...(isPage ? { url, sessionId } : { url: null, sessionId: null }),
  }
}

/** Places the order of a cart for which cash without an advance is chosen. Never rejects. */
export async function placeCashOrder(
  sdk: PostSdk,
  cartId: string,
  options: Partial<CashOptions> = {}
): Promise<{ ok: true; orderId: string } | Failed> {
  type Answer = { type: "order"; order: { id: string } } | { type: "cart"; error: { message: string } }
  return posted<Answer, { orderId: string }>(sdk, `/store/carts/${encodeURIComponent(cartId)}/complete`, {}, options, {
    read: (answer) => (answer.type === "order" ? { orderId: answer.order.id } : null),
    // What Medusa answers with 200 is refused all the same.
    refusal: (answer) => Object.assign(new Error(answer.type === "cart" ? answer.error.message : ""), { status: 400 }),
  })
}

/** Sends a code to the phone of the cart's address. `left`: how many more it may get today; null: without a limit. */
export async function sendCode(
  sdk: PostSdk,
  cartId: string,
  options: Partial<CashOptions> = {}
): Promise<{ ok: true; sentTo: string; expiresIn: number; left: number | null } | Failed> {
  type Answer = { cash_code: { sent_to: string; expires_in: number; left: number | null } }
  return posted(sdk, codePath(cartId), {}, options, {
    read: ({ cash_code: { sent_to: sentTo, expires_in: expiresIn, left } }: Answer) => ({ sentTo, expiresIn, left }),
  })
}

/** Whether this is the code that was sent; then the order can be placed. Digits of any script. */
export async function confirmCode(
  sdk: PostSdk,
  cartId: string,
  code: string,
  options: Partial<CashOptions> = {}
): Promise<{ ok: true } | Failed> {
  return posted(sdk, `${codePath(cartId)}/confirm`, { code }, options, { read: () => ({}) })
}

const codePath = (cartId: string): string => `/store/gateway/carts/${encodeURIComponent(cartId)}/cash-code`

type Reading<Answer, Read> = { read: (answer: Answer) => Read | null; refusal?: (answer: Answer) => unknown }

async function posted<Answer, Read extends object>(
  sdk: PostSdk,
  path: string,
  body: object,
  { language = "en", headers = {} }: Partial<CashOptions>,
  { read, refusal }: Reading<Answer, Read>
): Promise<({ ok: true } & Read) | Failed> {
  try {
    // In English, because refusals are recognised by their sentences (errors.ts).
    const init = { method: "POST", body, headers: { ...headers, "accept-language": "en" } }
    const answer = await sdk.client.fetch<Answer>(path, init)
    const found = read(answer)
    return found === null ? { ok: false, error: errorOf(refusal?.(answer), null, language) } : { ok: true, ...found }
  } catch (error) {
    return { ok: false, error: errorOf(error, null, language) }
  }
}
