import { isRefusal } from "../lib/errors"
import * as storage from "../lib/storage"
import { wait } from "../lib/wait"
import { inLanguage } from "./cart"
import { hasToken, openStore } from "./sdk"
import type { Cart } from "./types"

const PROVIDER_ID = "pp_gateway_default"
const OPEN_PAYMENT = "shop.open_payment"
const POLL_FOR_MS = 120_000

/** A preselection before the payment page; there the shopper can still choose another way. */
export type PaymentChoice = {
  id: "any" | "emi" | "card" | "bkash" | "nagad" | "rocket" | "upay" | "internet_banking"
  data: { payment_method?: string; payment_service?: string; emi_configuration_id?: string }
}

export const ANY_WAY: PaymentChoice = { id: "any", data: {} }

/** Pays by the EMI offer chosen in the cart. */
export const byEmi = (uuid: string): PaymentChoice => ({
  id: "emi",
  data: { payment_method: "card", payment_service: "CARD", emi_configuration_id: uuid },
})

export const PAYMENT_CHOICES: readonly PaymentChoice[] = [
  ANY_WAY,
  { id: "card", data: { payment_method: "card", payment_service: "CARD" } },
  { id: "bkash", data: { payment_method: "mobile_banking", payment_service: "BKASH" } },
  { id: "nagad", data: { payment_method: "mobile_banking", payment_service: "NAGAD" } },
  { id: "rocket", data: { payment_method: "mobile_banking", payment_service: "ROCKET" } },
  { id: "upay", data: { payment_method: "mobile_banking", payment_service: "UPAY" } },
  { id: "internet_banking", data: { payment_method: "internet_banking", payment_service: "INTERNET_BANKING" } },
]

/** Where to pay. `account`: for a signed-in shopper, what makes the payment page offer what they have saved. */
export type PaymentPage = { url: string; account: { action: string; proof: string } | null }

/**
 * Prepares a payment for the cart as it is now and answers the payment page.
 *
 * Called again for the same cart (after a decline, a cancellation, a changed cart) it makes a new payment session:
 * Medusa ends the old one, so one cart never has two payments open.
 *
 * Rejects with the SDK's FetchError when the store refuses, and with an Error when the answer has no usable address.
 */
export async function startPayment(cart: Cart, choice: PaymentChoice): Promise<PaymentPage> {
  const { sdk } = await openStore()
  // The payment page opens in the cart's language.
  await inLanguage(cart)
  const { payment_collection } = await sdk.store.payment.initiatePaymentSession(cart, {
    provider_id: PROVIDER_ID,
    data: { ...choice.data, return_url: returnUrl() },
  })
  const session = payment_collection.payment_sessions?.find(({ provider_id }) => provider_id === PROVIDER_ID)
  const { checkout_url: checkoutUrl, session_id: sessionId } = session?.data ?? {}
  if (typeof checkoutUrl !== "string" || !/^https?:\/\//.test(checkoutUrl) || typeof sessionId !== "string") {
    throw new Error("The payment session has no checkout_url")
  }
  storage.write(OPEN_PAYMENT, sessionId)
  return { url: checkoutUrl, account: hasToken() ? await accountProof(sessionId) : null }
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
function returnUrl(): string {
  return `${location.origin}${location.pathname}`
}

/** The transaction of a shopper's return, when the current address is one. */
export function transactionFromReturn(search: string): string | null {
  return new URLSearchParams(search).get("transaction_id")
}

export type PaymentStatus = {
  status: "PENDING" | "SUCCESS" | "FAILED" | "CANCELLED" | "EXPIRED" | "REFUNDED"
  order_id: string | null
  cart_id: string
  session_id: string
  transaction_id: string
}

/**
 * The status of a payment, from the store. The `status` in the return address is for display only: anybody can type an
 * address, so a shop never believes it.
 */
export async function paymentStatus(of: { transaction_id: string } | { session_id: string }): Promise<PaymentStatus> {
  const { sdk } = await openStore()
  return sdk.client.fetch<PaymentStatus>("/store/gateway/status", { query: of })
}

/** Whether the status may still change: a payment without outcome, or one whose order is being made. */
export const isOpen = ({ status, order_id }: PaymentStatus): boolean =>
  status === "PENDING" || (status === "SUCCESS" && !order_id)

/**
 * Polls until the payment has an outcome, for two minutes at most, at growing intervals. After every attempt
 * `onContact` receives whether there was an answer; polling continues when a phone regains its connection. Returns null
 * when there is still no outcome. Rejects when the store does not know the payment.
 */
export async function awaitOutcome(
  transactionId: string,
  signal: AbortSignal,
  onContact: (reached: boolean) => void
): Promise<PaymentStatus | null> {
  const giveUpAt = Date.now() + POLL_FOR_MS
  for (let pause = 1_000; Date.now() < giveUpAt && !signal.aborted; pause = Math.min(pause * 1.4, 6_000)) {
    try {
      const payment = await paymentStatus({ transaction_id: transactionId })
      onContact(true)
      if (!isOpen(payment)) {
        return payment
      }
    } catch (error) {
      if (isRefusal(error)) {
        throw error
      }
      onContact(false)
    }
    await wait(pause, signal)
  }
  return null
}

/** The session of a payment that was started here and whose outcome this browser has not seen. */
export const openPayment = (): string | null => storage.read(OPEN_PAYMENT)
export const closePayment = (): void => storage.remove(OPEN_PAYMENT)
