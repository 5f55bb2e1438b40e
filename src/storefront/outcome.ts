import { statusOf } from "./errors"
import type { Language } from "./texts"
import type { Outcome, PaymentIds, SdkHeaders, StatusSdk } from "./types"

const STATUS_PATH = "/store/gateway/status"
const WAIT_MS = 120_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 6_000
const PAUSE_GROWTH = 1.4

/** The payment: by the `transaction_id` of the return address, or by the `sessionId` of `startPayment`. */
export type PaymentRef = string | { transactionId: string } | { sessionId: string }

export type OutcomeOptions = {
  /** Milliseconds to wait for an outcome; default two minutes. 0: one question. */
  timeoutMs?: number
  signal?: AbortSignal
  headers?: SdkHeaders
  /** After every question: whether there was an answer. */
  onContact?: (reached: boolean) => void
}

/** The answer of GET /store/gateway/status. */
type StatusAnswer = { status: string; order_id: string | null } & Record<
  "cart_id" | "session_id" | "transaction_id",
  string
>

const ENDED: Record<string, "declined" | "cancelled" | "expired" | "refunded" | undefined> = {
  FAILED: "declined",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
  REFUNDED: "refunded",
}

/** The transaction in the address of a shopper's return (`location.search`); null when the address is none. */
export const transactionOf = (search: string): string | null => new URLSearchParams(search).get("transaction_id")

/**
 * Asks the store once what became of a payment. Never believe the `status` of a return address: anybody can type one.
 * `unknown` when the store has no such payment. Rejects with the SDK's error when there is no answer, or another refusal.
 */
export async function readOutcome(sdk: StatusSdk, of: PaymentRef, headers: SdkHeaders = {}): Promise<Outcome> {
  try {
    return outcomeOf(await sdk.client.fetch<StatusAnswer>(STATUS_PATH, { query: queryOf(of), headers }))
  } catch (error) {
    if (statusOf(error) === 404) {
      return { state: "unknown" }
    }
    throw error
  }
}

/**
 * Asks until the payment has an outcome, at growing intervals; `open` when there is none in time, or `signal` is
 * aborted. Goes on while the store cannot be reached, so a phone may lose its connection meanwhile. Rejects with the SDK's
 * error when the store refuses the question itself, such as a wrong publishable key.
 */
export async function awaitOutcome(sdk: StatusSdk, of: PaymentRef, options: OutcomeOptions = {}): Promise<Outcome> {
  const { timeoutMs = WAIT_MS, signal = new AbortController().signal, headers, onContact } = options
  const giveUpAt = Date.now() + timeoutMs
  let latest: Outcome = { state: "open" }
  for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * PAUSE_GROWTH, LONGEST_PAUSE_MS)) {
    try {
      latest = await readOutcome(sdk, of, headers)
      onContact?.(true)
    } catch (error) {
      if (isRefusal(error)) {
        throw error
      }
      onContact?.(false)
    }
    if (latest.state !== "open" || Date.now() + pause > giveUpAt) {
      return latest
    }
    await wait(pause, signal)
  }
  return latest
}

/**
 * A paid payment is `open` until its order exists: a shopper is thanked for an order that can be shown. The order of an
 * authorised payment exists while it is PENDING: the shop takes the money later.
 */
function outcomeOf({ status, order_id: orderId, cart_id, session_id, transaction_id }: StatusAnswer): Outcome {
  const ids: PaymentIds = { cartId: cart_id, sessionId: session_id, transactionId: transaction_id }
  if ((status === "SUCCESS" || status === "PENDING") && orderId) {
    return { state: "paid", orderId, ...ids }
  }
  const state = ENDED[status]
  return state === undefined ? { state: "open", ...ids } : { state, ...ids }
}

/** How an order was paid. `mail`: where its receipt goes; `is_sent`: it has gone there. */
export type OrderPayment = {
  transaction_id: string
  /** In the language that was asked for: "Visa ending in 4242", "bKash 017****5678". */
  method: string
  service: string | null
  brand: string | null
  last_four: string | null
  account: string | null
  paid_at: string
  mail: { to: string; is_sent: boolean } | null
}

/** An order that is paid in cash at the door. Amounts as decimal text; `advance` was paid online. */
export type OrderCash = {
  status: "due" | "part_collected" | "collected" | "refused" | "cancelled"
  total: string
  advance: string
  collected: string
  /** Cash that the store has given back. */
  returned: string
  due: string
}

export type OrderPaymentOptions = {
  /** The secret whose `placedBy` is in the cart's metadata, of the browser that placed the order. */
  key?: string | null
  language?: Language
  /** Such as a signed-in customer's `authorization` from a server. */
  headers?: SdkHeaders
}

/**
 * How an order was paid, for its owner: its signed-in customer, or the browser with its key. Show names, addresses and
 * the payment to nobody else: an order's id is in an address that people pass on. `payment`: null when it is not paid
 * here, or not the owner who asks. `cash`: null for an order that is not paid in cash; otherwise `payment` is that of its
 * advance, if it had one. `isCash`: whether it is paid in cash; it is public, unlike the sums.
 */
export async function readOrderPayment(
  sdk: StatusSdk,
  orderId: string,
  options: OrderPaymentOptions = {}
): Promise<{ isOwner: boolean; payment: OrderPayment | null; isCash: boolean; cash: OrderCash | null }> {
  type Answer = { is_owner: boolean; payment: OrderPayment | null; is_cash?: boolean; cash?: OrderCash | null }
  const answer = await sdk.client.fetch<Answer>(...paymentRequest(orderId, options, {}))
  const { is_owner: isOwner, payment, cash = null, is_cash: isCash = cash !== null } = answer
  return { isOwner, payment, isCash, cash }
}

/** The receipt as PDF; null when there is none, or not the owner who asks. */
export async function readReceipt(
  sdk: StatusSdk,
  orderId: string,
  options: OrderPaymentOptions = {}
): Promise<Blob | null> {
  const [path, init] = paymentRequest(orderId, options, { receipt: "pdf" })
  const headers = { ...init.headers, accept: "application/pdf" }
  // For this header Medusa's SDK answers the response itself.
  const response = await sdk.client.fetch<Response>(path, { ...init, headers })
  return response.headers.get("content-type") === "application/pdf" ? response.blob() : null
}

function paymentRequest(
  orderId: string,
  { key, language = "en", headers = {} }: OrderPaymentOptions,
  more: Record<string, string>
): [path: string, init: { query: Record<string, string>; headers: SdkHeaders }] {
  const known: SdkHeaders = key ? { ...headers, "x-order-key": key } : headers
  const query = { lang: language, ...more }
  return [`/store/gateway/orders/${encodeURIComponent(orderId)}/payment`, { query, headers: known }]
}

/**
 * What to write to a new cart's metadata, so that the browser with this secret owns its order; Medusa copies it there.
 * Keep the secret, for example of `crypto.randomUUID()`, in the browser alone. Empty where there is no WebCrypto, as on a
 * page over http: then only a signed-in customer is the owner.
 */
export async function placedBy(key: string): Promise<{ gateway_placed_by?: string }> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined
  if (subtle === undefined) {
    return {}
  }
  const hash = new Uint8Array(await subtle.digest("SHA-256", new TextEncoder().encode(key)))
  return { gateway_placed_by: Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("") }
}

function queryOf(of: PaymentRef): Record<string, string> {
  if (typeof of === "string") {
    return { transaction_id: of }
  }
  return "sessionId" in of ? { session_id: of.sessionId } : { transaction_id: of.transactionId }
}

/** Whether asking again is pointless: the store has understood the question and refuses it. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error)
  return status !== null && status >= 400 && status < 500 && status !== 429
}

/** Resolves after `milliseconds`, or at once when `signal` is aborted; the caller checks `signal.aborted`. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener("abort", done, { once: true })

    function done() {
      clearTimeout(timer)
      signal.removeEventListener("abort", done)
      resolve()
    }
  })
}
