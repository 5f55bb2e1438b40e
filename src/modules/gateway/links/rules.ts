import { messageOf } from "../../../i18n/message"
import type { CustomerDetails } from "../acquirers/order"
import { GatewayError } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import { formatAmount, type Minor } from "../kernel/money/money"
import type { LinkState } from "./states"

/** The states that people and programs see. */
export const LINK_STATUSES = ["open", "paid", "expired", "disabled"] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

/** A payer: contact details alone, because a link ships nothing. `phone` as it was entered. */
export type Payer = { name: string; email: string; phone: string; phone_e164: string }
/** What payers choose themselves: from `min` to `max`, which is null for the most that a checkout takes. */
export type OpenAmount = { min: Minor; max: Minor | null; suggested: readonly Minor[] }
export type NewLink = {
  amount: Minor | OpenAmount
  currency: string
  description: string
  customer: Payer | null
  expires_at: Date | null
  /** Many may pay it. Absent: one payment. */
  reusable?: boolean
  /** Of a reusable link; absent or null: any number. */
  max_payments?: number | null
}

type LinkFacts = {
  state: LinkState
  expires_at: Date | null
  /** The payments that have paid it, refunded ones too, and how many it takes; null: any number. */
  paid_count: number
  max_payments: number | null
}

/**
 * Money decides first: a paid link stays paid, even if it was disabled or has expired since. `now`: the merchant's
 * clock.
 */
export function statusOf({ state, expires_at, paid_count, max_payments }: LinkFacts, now: Date): LinkStatus {
  if (max_payments !== null && paid_count >= max_payments) {
    return "paid"
  }
  if (state === "disabled") {
    return "disabled"
  }
  return expires_at !== null && expires_at <= now ? "expired" : "open"
}

/** Throws INVALID_STATE_TRANSITION for a link that cannot be paid. */
export function requireOpen(link: LinkFacts, now: Date): void {
  const status = statusOf(link, now)
  if (status !== "open") {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.link_not_open", { state: status }))
  }
}

type Range = { min_amount_minor: number | null; max_amount_minor: number | null }

/** From where to where whoever pays a link without an amount may choose it. */
export function rangeOf({ min_amount_minor, max_amount_minor }: Range): { min: Minor; max: Minor } {
  const min = BigInt(min_amount_minor ?? LIMITS.orderAmountMinMinor)
  return { min, max: BigInt(max_amount_minor ?? LIMITS.orderAmountMaxMinor) }
}

/** What a payment of the link is of; null: the link takes no such amount. `chosen`: what the payer has entered. */
export function amountOf(
  link: Range & { amount_minor: number | null; store_order_id?: string | null },
  chosen: Minor | null
): Minor | null {
  if (link.store_order_id) {
    // What the store has just read from the order.
    return chosen
  }
  if (link.amount_minor !== null) {
    return BigInt(link.amount_minor)
  }
  const { min, max } = rangeOf(link)
  return chosen !== null && chosen >= min && chosen <= max ? chosen : null
}

/** The public page of a link; whoever has its address may see it and pay. */
export function linkUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/pay/link/${token}`
}

/** The contract's customer without an address. */
export function detailsOf({ name, email, phone }: Payer): CustomerDetails {
  return { name, email, address: "", city: "", postcode: "", country: "", phone }
}

/** The columns of a new link. */
export function rowOf({ amount, customer, ...wanted }: NewLink) {
  const isOpen = typeof amount !== "bigint"
  const { currency, description, expires_at, reusable = false, max_payments = null } = wanted
  return {
    amount_minor: isOpen ? null : Number(amount),
    min_amount_minor: isOpen ? Number(amount.min) : null,
    max_amount_minor: isOpen && amount.max !== null ? Number(amount.max) : null,
    suggested_amounts: isOpen ? amount.suggested.map(Number) : null,
    reusable,
    max_payments: reusable ? max_payments : 1,
    currency,
    description,
    customer: customer && detailsOf(customer),
    customer_phone: customer?.phone_e164 ?? null,
    expires_at,
  }
}

export function auditedOf({ amount, currency, description, expires_at, customer, reusable, max_payments }: NewLink) {
  const of =
    typeof amount === "bigint"
      ? { amount: formatAmount(amount) }
      : { min_amount: formatAmount(amount.min), max_amount: amount.max === null ? null : formatAmount(amount.max) }
  return { ...of, currency, description, expires_at, customer: customer?.email, reusable, max_payments }
}
