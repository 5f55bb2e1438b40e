"use server"

import { sdk } from "@lib/config"
import { retrieveCart } from "@lib/data/cart"
import { getAuthHeaders, getCacheTag, removeCartId } from "@lib/data/cookies"
import { getLocale } from "@lib/data/locale-actions"
import { getBaseURL } from "@lib/util/env"
import {
  chooseCash,
  confirmCode,
  isGateway,
  languageOf,
  placeCashOrder,
  placedBy,
  readOrderPayment,
  sendCode,
  startPayment,
  textsOf,
  type ErrorCode,
  type Language,
  type ShopperError,
  type StartedPayment,
} from "medusa-payment-gateway/storefront"
import type { CashConfirmed, CodeSent, ShownCash } from "medusa-payment-gateway/storefront/next"
import { revalidateTag } from "next/cache"
import { cookies, headers as requestHeaders } from "next/headers"

/** This browser's secret: who has it owns the orders that were placed here. */
const ORDER_KEY = "_gateway_order_key"
const YEAR_SECONDS = 365 * 86_400

type Cart = NonNullable<Awaited<ReturnType<typeof retrieveCart>>>

/** Starts the payment of the shopper's cart at the gateway. Answers the payment page, or why there is none. */
export async function startGatewayPayment(): Promise<StartedPayment> {
  const { cart, language, headers } = await shopper()
  if (!cart) {
    return { ok: false, error: errorOf("cart_completed", language) }
  }
  await ownOrder(cart, headers)
  const started = await startPayment(sdk, cart, {
    returnUrl: returnUrl(cart, language),
    language,
    // What the shopper has chosen.
    provider: cart.payment_collection?.payment_sessions?.find(({ provider_id }) => isGateway(provider_id))?.provider_id,
    headers,
  })
  // The starter caches carts: what is shown next must be the cart as it is now, or as it was paid elsewhere.
  revalidateTag(await getCacheTag("carts"))
  return started
}

/** Places the order of a cart that costs nothing: there is no payment to start. */
export async function placeFreeOrder(): Promise<CashConfirmed> {
  const { cart, language, headers } = await shopper()
  if (!cart) {
    return { ok: false, error: errorOf("cart_completed", language) }
  }
  await ownOrder(cart, headers)
  return ordered(cart, language, headers)
}

/**
 * Confirms cash on delivery with the sums that the shopper has seen: places the order, or answers the payment page of the
 * advance.
 */
export async function confirmGatewayCash(shown: ShownCash, code: string): Promise<CashConfirmed> {
  const { cart, language, headers } = await shopper()
  if (!cart) {
    return { ok: false, error: errorOf("cart_completed", language) }
  }
  await ownOrder(cart, headers)
  // With the address to which the shopper returns, and the sums of now.
  const chosen = await chooseCash(sdk, cart, { returnUrl: returnUrl(cart, language), language, headers })
  revalidateTag(await getCacheTag("carts"))
  if (!chosen.ok) {
    return chosen
  }
  if (chosen.dueNow !== shown.dueNow || chosen.dueInCash !== shown.dueInCash) {
    return { ok: false, error: errorOf("advance_changed", language) }
  }
  if (chosen.url !== null) {
    return { ok: true, url: chosen.url }
  }
  if (chosen.needsCode) {
    const entered = code.trim()
    const confirmed =
      entered === ""
        ? { ok: false as const, error: errorOf("code_needed", language) }
        : await confirmCode(sdk, cart.id, entered, { language, headers })
    if (!confirmed.ok) {
      return confirmed
    }
  }
  return ordered(cart, language, headers)
}

/** Completes a cart without a payment to start, and answers its order's page. */
async function ordered(cart: Cart, language: Language, headers: Record<string, string>): Promise<CashConfirmed> {
  const placed = await placeCashOrder(sdk, cart.id, { language, headers })
  revalidateTag(await getCacheTag("carts"))
  if (!placed.ok) {
    return placed
  }
  revalidateTag(await getCacheTag("orders"))
  await removeCartId()
  return { ok: true, url: `/${countryOf(cart)}/order/${placed.orderId}/confirmed` }
}

/** Sends a code to the phone of the cart's address. */
export async function sendGatewayCode(): Promise<CodeSent> {
  const { cart, language, headers } = await shopper()
  if (!cart) {
    return { ok: false, error: errorOf("cart_completed", language) }
  }
  // The store counts codes by address. It believes this one when TRUSTED_PROXIES names this server.
  const from = (await requestHeaders()).get("x-forwarded-for")
  return sendCode(sdk, cart.id, {
    language,
    headers: { ...headers, ...(from === null ? {} : { "x-forwarded-for": from }) },
  })
}

/** How an order was paid, for its owner; and the shop's language, in which it is said. */
export async function readGatewayPayment(orderId: string) {
  const language = languageOf(await getLocale())
  const key = (await cookies()).get(ORDER_KEY)?.value
  const read = await readOrderPayment(sdk, orderId, { key, language, headers: { ...(await getAuthHeaders()) } })
  return { ...read, language }
}

async function shopper() {
  const language = languageOf(await getLocale())
  return { cart: await retrieveCart(), language, headers: { ...(await getAuthHeaders()) } }
}

/** Medusa copies a cart's metadata to its order. */
async function ownOrder(cart: Cart, headers: Record<string, string>): Promise<void> {
  const jar = await cookies()
  const key = jar.get(ORDER_KEY)?.value ?? crypto.randomUUID()
  jar.set(ORDER_KEY, key, {
    httpOnly: true,
    sameSite: "strict",
    secure: process.env.NODE_ENV === "production",
    maxAge: YEAR_SECONDS,
    path: "/",
  })
  await sdk.store.cart.update(cart.id, { metadata: await placedBy(key) }, {}, headers)
}

function returnUrl(cart: Cart, language: Language): string {
  return `${getBaseURL()}/api/gateway/return?${new URLSearchParams({ country: countryOf(cart), lang: language })}`
}

const countryOf = (cart: Cart): string => cart.shipping_address?.country_code?.toLowerCase() ?? ""

function errorOf(code: ErrorCode, language: Language): ShopperError {
  return { code, message: textsOf(language).errors[code], detail: `refused by the shop itself: ${code}` }
}
