"use server"

import { sdk } from "@lib/config"
import { retrieveCart } from "@lib/data/cart"
import { getAuthHeaders, getCacheTag } from "@lib/data/cookies"
import { getLocale } from "@lib/data/locale-actions"
import { getBaseURL } from "@lib/util/env"
import { isGateway, languageOf, startPayment, textsOf, type StartedPayment } from "medusa-payment-gateway/storefront"
import { revalidateTag } from "next/cache"

/** Starts the payment of the shopper's cart at the gateway. Answers the payment page, or why there is none. */
export async function startGatewayPayment(): Promise<StartedPayment> {
  const language = languageOf(await getLocale())
  const cart = await retrieveCart()
  if (!cart) {
    const message = textsOf(language).errors.cart_completed
    return { ok: false, error: { code: "cart_completed", message, detail: "this browser has no open cart" } }
  }
  const country = cart.shipping_address?.country_code?.toLowerCase() ?? ""
  const query = new URLSearchParams({ country, lang: language })
  const started = await startPayment(sdk, cart, {
    returnUrl: `${getBaseURL()}/api/gateway/return?${query}`,
    language,
    // What the shopper has chosen.
    provider: cart.payment_collection?.payment_sessions?.find(({ provider_id }) => isGateway(provider_id))?.provider_id,
    headers: { ...(await getAuthHeaders()) },
  })
  // The starter caches carts: what is shown next must be the cart as it is now, or as it was paid elsewhere.
  revalidateTag(await getCacheTag("carts"))
  return started
}
