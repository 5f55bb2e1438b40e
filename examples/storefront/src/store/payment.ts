import {
  awaitOutcome as awaitGatewayOutcome,
  PAYMENT_METHODS,
  readOutcome,
  startPayment as startGatewayPayment,
  type Outcome,
  type PaymentMethod,
  type ShopperError,
  type StartOptions,
} from "medusa-payment-gateway/storefront"
import { isRefusal } from "../lib/errors"
import * as storage from "../lib/storage"
import { language } from "../text"
import { forgetCart, inLanguage } from "./cart"
import { hasToken, openStore } from "./sdk"
import type { Cart } from "./types"

const OPEN_PAYMENT = "shop.open_payment"

/** A preselection before the payment page; there the shopper can still choose another way. */
export type PaymentChoice = {
  id: "any" | "emi" | "cash" | PaymentMethod
  options: Pick<StartOptions, "method" | "emiConfigurationId">
}

export const ANY_WAY: PaymentChoice = { id: "any", options: {} }

/** Its sums are shown before the shopper confirms (components/cash.tsx). */
export const IN_CASH: PaymentChoice = { id: "cash", options: {} }

/** Pays by the EMI offer chosen in the cart. */
export const byEmi = (uuid: string): PaymentChoice => ({ id: "emi", options: { emiConfigurationId: uuid } })

export const PAYMENT_CHOICES: readonly PaymentChoice[] = [
  ANY_WAY,
  // The sandbox's wallet has no service that shoppers know by name.
  ...PAYMENT_METHODS.filter((method) => method !== "wallet").map((method) => ({ id: method, options: { method } })),
]

/** Where to pay. `account`: for a signed-in shopper, what makes the payment page offer what they have saved. */
export type PaymentPage = { url: string; account: { action: string; proof: string } | null }

/**
 * Prepares a payment for the cart as it is now and answers the payment page, or why there is none. Called again for the
 * same cart (after a decline, a cancellation, a changed cart) it makes a new payment session.
 */
export async function startPayment(cart: Cart, { options }: PaymentChoice): Promise<PaymentPage | ShopperError> {
  const { sdk } = await openStore()
  // The payment page opens in the cart's language.
  await inLanguage(cart)
  const started = await startGatewayPayment(sdk, cart, { ...options, returnUrl: returnUrl(), language })
  if (!started.ok) {
    return started.error
  }
  return payAt(started.url, started.sessionId)
}

/** The payment page of a checkout that is open, and how this browser gets there. */
export async function payAt(url: string, sessionId: string): Promise<PaymentPage> {
  storage.write(OPEN_PAYMENT, sessionId)
  return { url, account: hasToken() ? await accountProof(sessionId) : null }
}

/** Makes the order of a cart that costs nothing. Answers the screen to show. */
export async function placeFreeOrder(cart: Cart): Promise<string> {
  const { sdk } = await openStore()
  const placed = await sdk.store.cart.complete(cart.id)
  if (placed.type !== "order") {
    throw new Error(placed.error.message)
  }
  forgetCart(cart.id)
  return `/orders/${encodeURIComponent(placed.order.id)}`
}

/** A one-time proof that this browser is the signed-in shopper's; without it the shopper pays like a guest. */
async function accountProof(sessionId: string): Promise<PaymentPage["account"]> {
  const { sdk } = await openStore()
  try {
    const path = `/store/gateway/checkouts/${encodeURIComponent(sessionId)}/account`
    const { action, proof } = await sdk.client.fetch<{ action: string; proof: string }>(path, { method: "POST" })
    return /^https?:\/\//.test(action) ? { action, proof } : null
  } catch (error) {
    if (isRefusal(error)) {
      return null
    }
    throw error
  }
}

/** Sends the browser to the payment page. The proof travels in a form's body: addresses are logged and passed on. */
export function goToPay({ url, account }: PaymentPage): void {
  if (account === null) {
    location.assign(url)
    return
  }
  const form = document.createElement("form")
  const proof = document.createElement("input")
  form.method = "post"
  form.action = account.action
  form.hidden = true
  proof.type = "hidden"
  proof.name = "proof"
  proof.value = account.proof
  form.append(proof)
  document.body.append(form)
  form.submit()
}

/**
 * The absolute address to which the shopper returns after paying. `?status=...&order_id=...&transaction_id=...` is
 * appended to its query, so it has no hash of its own: the hash would have to come after the query.
 */
export function returnUrl(): string {
  return `${location.origin}${location.pathname}`
}

/** What became of a payment, asked once. */
export async function paymentOutcome(of: { sessionId: string }): Promise<Outcome> {
  const { sdk } = await openStore()
  return readOutcome(sdk, of)
}

/**
 * Follows a payment until it has an outcome, for two minutes at most. After every question `onContact` receives whether
 * there was an answer; a phone that regains its connection goes on.
 */
export async function awaitOutcome(
  transactionId: string,
  signal: AbortSignal,
  onContact: (reached: boolean) => void
): Promise<Outcome> {
  const { sdk } = await openStore()
  return awaitGatewayOutcome(sdk, transactionId, { signal, onContact })
}

/** The session of a payment that was started here and whose outcome this browser has not seen. */
export const openPayment = (): string | null => storage.read(OPEN_PAYMENT)
export const closePayment = (): void => storage.remove(OPEN_PAYMENT)
