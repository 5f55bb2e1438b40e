import Stripe from "stripe"
import { jsonObject } from "../http-call"
import type { Hint, Incoming, Notification } from "../port"
import { texts } from "./objects"
import { ATTEMPT, REFUND, RESULT } from "./requests"

const TOLERANCE_SECONDS = 300
/** Two clocks differ by less. Stripe's package checks only that a message is not too old. */
const FUTURE_SECONDS = 60

/** What the browser brings back. The path names the attempt; nobody believes the rest. */
export function readReturn({ target }: Incoming): Hint | null {
  const result = new URL(target, "http://gateway.invalid").searchParams.get(RESULT)
  if (result === "paid") {
    return { about: "payment", claims: "paid" }
  }
  return result === "cancelled" ? { about: "payment", claims: "cancelled" } : null
}

type Endpoint = { secret: string | undefined; livemode: boolean; now: Date }

/** `livemode`: an account's test events must not stir what is paid in production, nor the other way round. */
export function readNotification({ body, headers }: Incoming, { secret, livemode, now }: Endpoint): Notification {
  const signature = headers["stripe-signature"]
  if (secret === undefined) {
    return { result: "forged", why: "there is no webhook_secret to check it with" }
  }
  if (typeof signature !== "string") {
    return { result: "forged", why: "it carries no Stripe-Signature" }
  }
  const forgery = forgeryOf(body, signature, secret, now)
  if (forgery !== null) {
    return { result: "forged", why: forgery }
  }
  // An account may also send thin events of API v2 here; they have no object to name an attempt with.
  const event = jsonObject(body.toString("utf8")) as Stripe.Event | null
  const hint = event?.object === "event" && event.livemode === livemode ? hintOf(event) : null
  return hint === null ? { result: "irrelevant" } : { result: "hint", hint }
}

/**
 * Why the notification is not from Stripe; null when it is. `constructEvent` also parses the body. This checks the
 * signature alone, so every error thrown here, of whichever class, is about the signature.
 */
function forgeryOf(body: Buffer, header: string, secret: string, now: Date): string | null {
  const checker = Stripe.webhooks.signature
  try {
    if (checker?.verifyHeader(body, header, secret, TOLERANCE_SECONDS, undefined, now.getTime()) !== true) {
      return "it could not be checked"
    }
  } catch (error) {
    return error instanceof Error ? error.message.split("\n")[0].trim() : "it could not be checked"
  }
  // The last `t` counts, as for Stripe's package; it is part of what is signed.
  const times = header.split(",").filter((part) => part.startsWith("t="))
  const seconds = Number.parseInt(times[times.length - 1].slice(2), 10)
  return seconds <= now.getTime() / 1_000 + FUTURE_SECONDS ? null : "its timestamp is in the future"
}

/** An event shows its object as it was when it was made, and events overtake each other: it says only what to ask for. */
export function hintOf(event: Stripe.Event): Hint | null {
  const object = event.data?.object as Partial<NotifiedObject> | undefined
  const attempt = object?.metadata?.[ATTEMPT]
  if (Object.hasOwn(PAYMENT_CLAIMS, event.type) && attempt) {
    const claims = PAYMENT_CLAIMS[event.type](object?.payment_status)
    const name = event.type.startsWith("checkout.") ? "session_id" : "payment_intent"
    return { about: "payment", key: attempt, references: texts({ [name]: object?.id }), claims }
  }
  if (DISPUTE_EVENTS.has(event.type) && object?.id) {
    return { about: "dispute", key: object.id, claims: "unclear" }
  }
  const refund = object?.metadata?.[REFUND]
  if (REFUND_EVENTS.has(event.type) && refund) {
    return {
      about: "refund",
      key: refund,
      references: texts({ refund_id: object?.id }),
      claims: claimOf(object?.status),
    }
  }
  return null
}

type NotifiedObject = { id: string; metadata: Record<string, string>; payment_status: string; status: string }

const REFUND_EVENTS = new Set(["refund.created", "refund.updated", "refund.failed", "charge.refund.updated"])

const DISPUTE_EVENTS = new Set(
  ["created", "updated", "closed", "funds_withdrawn", "funds_reinstated"].map((done) => `charge.dispute.${done}`)
)

/** A declined payment intent is no end: inside its session the shopper may try another card. */
const PAYMENT_CLAIMS: Record<string, (payment_status?: string) => Hint["claims"]> = {
  "checkout.session.completed": (payment_status) => (payment_status === "paid" ? "paid" : "unclear"),
  "checkout.session.async_payment_succeeded": () => "paid",
  "checkout.session.async_payment_failed": () => "not_paid",
  "checkout.session.expired": () => "not_paid",
  "payment_intent.amount_capturable_updated": () => "paid",
  "payment_intent.succeeded": () => "paid",
  "payment_intent.canceled": () => "not_paid",
  "payment_intent.payment_failed": () => "unclear",
  "payment_intent.processing": () => "unclear",
}

function claimOf(status?: string): Hint["claims"] {
  if (status === "succeeded") {
    return "paid"
  }
  return status === "failed" || status === "canceled" ? "not_paid" : "unclear"
}
