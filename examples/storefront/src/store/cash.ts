import {
  chooseCash as chooseGatewayCash,
  confirmCode as confirmGatewayCode,
  isCash,
  placeCashOrder,
  sendCode as sendGatewayCode,
  type ChosenCash,
  type ShopperError,
} from "medusa-payment-gateway/storefront"
import { language } from "../text"
import { forgetCart, inLanguage } from "./cart"
import { returnUrl } from "./payment"
import { openStore } from "./sdk"
import type { Cart } from "./types"

/** Whether the store takes cash on delivery. A store that cannot be asked takes online payments all the same. */
export async function offersCash(): Promise<boolean> {
  const { sdk, regionId } = await openStore()
  return sdk.store.payment.listPaymentProviders({ region_id: regionId }).then(
    ({ payment_providers }) => payment_providers.some(({ id }) => isCash(id)),
    () => false
  )
}

/** Chooses cash for the cart as it is now, and answers both sums. */
export async function chooseCash(cart: Cart): Promise<ChosenCash | ShopperError> {
  const { sdk } = await openStore()
  // The payment page of an advance, and the message with a code, have the cart's language.
  await inLanguage(cart)
  const chosen = await chooseGatewayCash(sdk, cart, { returnUrl: returnUrl(), language })
  return chosen.ok ? chosen : chosen.error
}

/** Places the order of a cart without an advance. Answers the screen to show. */
export async function placeInCash(cart: Cart): Promise<string | ShopperError> {
  const { sdk } = await openStore()
  const placed = await placeCashOrder(sdk, cart.id, { language })
  if (!placed.ok) {
    return placed.error
  }
  forgetCart(cart.id)
  return `/orders/${encodeURIComponent(placed.orderId)}`
}

/** Sends a code to the cart's phone. Answers to which, without its middle. */
export async function sendCode(cart: Cart): Promise<{ sentTo: string } | ShopperError> {
  const { sdk } = await openStore()
  const sent = await sendGatewayCode(sdk, cart.id, { language })
  return sent.ok ? sent : sent.error
}

/** Null: the code is right. */
export async function confirmCode(cart: Cart, code: string): Promise<ShopperError | null> {
  const { sdk } = await openStore()
  const confirmed = await confirmGatewayCode(sdk, cart.id, code, { language })
  return confirmed.ok ? null : confirmed.error
}
