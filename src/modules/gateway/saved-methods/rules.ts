import type { Environment } from "../kernel/money/clock"
import type { PaymentMethod } from "../merchants/payment-services"

/** A payment method that a customer of the store has saved, as it may be shown: never a number or a token. */
export type SavedMethod = {
  /** The uuid. */
  id: string
  acquirer: string
  method: PaymentMethod
  service: string
  brand: string | null
  last_four: string | null
  account: string | null
  expiry_month: number | null
  expiry_year: number | null
  opened_at: Date
}

/** A customer of the store in one merchant's environment. */
export type Holder = { merchant_id: string; environment: Environment; store_customer_id: string }

/**
 * Whose payment methods they are: of a customer of the store, who has saved them, or of a customer whom the merchant
 * bills, for subscriptions.
 */
export type MethodOwner = Pick<Holder, "merchant_id" | "environment"> & {
  store_customer_id: string | null
  customer_id?: string | null
}

/** As many are offered on the payment page; the account lists them all. */
const OFFERED_MAX = 10

/** Bangladesh has no summer time. A card is valid to the end of its month there. */
const DHAKA_OFFSET_MS = 6 * 60 * 60 * 1000

export function isExpired({ expiry_month: month, expiry_year: year }: SavedMethod, now: Date): boolean {
  return month !== null && year !== null && now.getTime() >= Date.UTC(year, month, 1) - DHAKA_OFFSET_MS
}

/**
 * How a method looks to the customer. A card that was saved twice has two tokens, so methods that look the same count
 * as one. A method without digits or account equals only itself.
 */
function lookOf({ id, method, service, brand, last_four, account, expiry_month, expiry_year }: SavedMethod): string {
  const isIdentified = last_four !== null || account !== null
  return JSON.stringify(isIdentified ? [method, service, brand, last_four, account, expiry_month, expiry_year] : id)
}

/** Those of `methods` that look the same to the customer as `one`, itself included. */
export function copiesOf<Method extends SavedMethod>(methods: readonly Method[], one: Method): Method[] {
  return methods.filter((method) => lookOf(method) === lookOf(one))
}

/** Each method once, in the given order: the first of those that look the same to the customer. */
export function withoutCopies<Method extends SavedMethod>(methods: readonly Method[]): Method[] {
  const looks = methods.map(lookOf)
  return methods.filter((_method, index) => looks.indexOf(looks[index]) === index)
}

/**
 * The saved methods that can pay an order now, each once, in their given order: of an allowed payment service, not
 * expired, and with an acquirer that can be asked to charge them.
 */
export function offeredMethods<Method extends SavedMethod>(
  methods: readonly Method[],
  {
    services,
    canCharge,
    now,
  }: { services: readonly string[]; canCharge: (acquirer: string, service: string) => boolean; now: Date }
): Method[] {
  const usable = methods
    .filter((method) => services.includes(method.service) && !isExpired(method, now))
    .filter(({ acquirer, service }) => canCharge(acquirer, service))
  return withoutCopies(usable).slice(0, OFFERED_MAX)
}
