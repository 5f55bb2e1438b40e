import type Stripe from "stripe"
import type { Minor } from "../../kernel/money/money"

/** Stripe gives a related object as its id or, expanded, whole. */
type Related = string | { id: string } | null | undefined

export function idOf(related: Related): string | undefined {
  return typeof related === "string" ? related : related?.id
}

export function expanded<T extends { id: string }>(related: string | T | null | undefined): T | null {
  return typeof related === "object" && related !== null ? related : null
}

/** Stripe's amounts are whole minor units; null for anything else. */
export function minorOf(amount: unknown): Minor | null {
  return typeof amount === "number" && Number.isSafeInteger(amount) && amount >= 0 ? BigInt(amount) : null
}

/** The number that Stripe wants. Throws RangeError for an amount that a number cannot hold exactly. */
export function integerOf(amount: Minor): number {
  const integer = Number(amount)
  if (!Number.isSafeInteger(integer)) {
    throw new RangeError("the amount is too large")
  }
  return integer
}

/** `"bdt"` as the gateway writes it; null for what is no currency. */
export function currencyOf(currency: unknown): string | null {
  return typeof currency === "string" && /^[a-z]{3}$/.test(currency) ? currency.toUpperCase() : null
}

/** Keeps what has a value: references and details are text, and nothing else. */
export function texts(entries: Record<string, string | number | null | undefined>): Record<string, string> {
  const present = Object.entries(entries).filter(([, value]) => value !== undefined && value !== null && value !== "")
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]))
}

/** A kept card is its customer and its payment method: Stripe charges one only together with the other. */
export type KeptCard = { customer: string; payment_method: string }

export function tokenOf({ customer, payment_method }: KeptCard): string {
  return `${customer}:${payment_method}`
}

export function keptCardOf(token: string): KeptCard | null {
  const match = /^(cus_[A-Za-z0-9]+):((?:pm|card|src)_[A-Za-z0-9]+)$/.exec(token)
  return match === null ? null : { customer: match[1], payment_method: match[2] }
}

export type Intent = Stripe.PaymentIntent
export type Session = Stripe.Checkout.Session
