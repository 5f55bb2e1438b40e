import type { MedusaContainer } from "@medusajs/framework/types"
import { messageOf } from "../i18n/message"
import { gatewayIn } from "../modules/gateway"
import type { By } from "../modules/gateway/kernel/database/audit"
import { INTERVAL_UNITS, type IntervalUnit } from "../modules/gateway/kernel/money/calendar"
import { fault, validationError, type FieldFailure } from "../modules/gateway/kernel/errors"
import { LIMITS } from "../modules/gateway/kernel/limits"
import { formatAmount, parseAmount, type Minor } from "../modules/gateway/kernel/money/money"
import type { Scope } from "../modules/gateway/kernel/types"
import type { EndChange, FormerEnd } from "../modules/gateway/subscriptions/end-rules"
import { faultsOfPrice, unitOf } from "../modules/gateway/subscriptions/quantity-rules"
import type { SubscriptionRow } from "../modules/gateway/subscriptions/records"
import type { SubscriptionChange } from "../modules/gateway/subscriptions/service"

/** The user of Medusa's admin who asked; absent: the workflow itself, which audit entries show as the gateway. */
export type ActedBy = { actor_id?: string }

/** Whose subscription it is; absent: the store's own, in the deployment's environment. */
export type OfMerchant = { merchant_id?: string; environment?: "sandbox" | "production" }

export function actorOf({ actor_id }: ActedBy): By {
  return actor_id === undefined ? {} : { actor: { type: "user", id: actor_id } }
}

/** As refunds and histories name who asked. */
export function requestedBy({ actor_id }: ActedBy): string {
  return actor_id ?? "workflow"
}

/** Decimal text to hundredths of the currency. Throws VALIDATION_ERROR, naming `field`, for what is no amount above zero. */
export function readAmount(amount: string | undefined, field = "amount"): Minor | undefined {
  if (amount === undefined) {
    return undefined
  }
  const minor = parseAmount(amount)
  if (minor === null || minor <= 0n) {
    throw validationError([fault(field, messageOf("rule.amount", { example: "1250.00" }))])
  }
  return minor
}

/** Decimal text, whole numbers, and times in ISO 8601; as `PATCH` of `/api/v2` has them. */
export type NewTerms = {
  amount?: string
  unit_amount?: string
  quantity?: number
  interval_count?: number
  interval_unit?: IntervalUnit
  /** 0: it has no end. */
  billing_cycles?: number
  ends_at?: string
  meta_data?: Record<string, unknown>
}

/** New terms of a subscription, within the bounds that `/api/v2` has. Throws VALIDATION_ERROR, AMOUNT_TOO_LOW, AMOUNT_TOO_HIGH. */
export function readTerms(terms: NewTerms): SubscriptionChange {
  const { quantity, interval_count, interval_unit, meta_data } = terms
  const amount = readAmount(terms.amount)
  const unit_amount = readAmount(terms.unit_amount, "unit_amount")
  const failures = [
    ...faultsOfAmount(amount),
    ...faultsOfPrice({ amount, unit_amount, quantity }),
    ...faultsOfCount("quantity", quantity, 1, LIMITS.quantityMax),
    ...faultsOfCount("interval_count", interval_count, 1, LIMITS.intervalCountMax),
    ...faultsOfEnd(terms),
  ]
  if (interval_unit !== undefined && !INTERVAL_UNITS.includes(interval_unit)) {
    failures.push(fault("interval_unit", messageOf("rule.one_of", { values: INTERVAL_UNITS.join(", ") })))
  }
  if (failures.length > 0) {
    throw validationError(failures)
  }
  const read = { amount, unit_amount, quantity, interval_count, interval_unit, meta_data, ...endOf(terms) }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

function faultsOfAmount(amount: Minor | undefined): FieldFailure[] {
  const { orderAmountMinMinor: least, orderAmountMaxMinor: most } = LIMITS
  if (amount !== undefined && amount < least) {
    return [fault("amount", messageOf("rule.min", { min: formatAmount(least) }), "AMOUNT_TOO_LOW")]
  }
  if (amount !== undefined && amount > most) {
    return [fault("amount", messageOf("rule.max", { max: formatAmount(most) }), "AMOUNT_TOO_HIGH")]
  }
  return []
}

function faultsOfCount(field: keyof NewTerms, count: number | undefined, min: number, max: number): FieldFailure[] {
  const isWrong = count !== undefined && (!Number.isInteger(count) || count < min || count > max)
  return isWrong ? [fault(field, messageOf("rule.whole_number_within", { min, max }))] : []
}

/** A subscription ends after a number of periods or at a time, never both. */
function faultsOfEnd({ billing_cycles, ends_at }: NewTerms): FieldFailure[] {
  const isNoTime = ends_at !== undefined && (!ISO_TIME.test(ends_at) || Number.isNaN(Date.parse(ends_at)))
  return [
    ...faultsOfCount("billing_cycles", billing_cycles, 0, LIMITS.billingCyclesMax),
    ...(isNoTime ? [fault("ends_at", messageOf("rule.instant", { example: "2026-01-31T00:00:00Z" }))] : []),
    ...(billing_cycles !== undefined && ends_at !== undefined
      ? [fault("ends_at", messageOf("rule.not_with", { field: "billing_cycles" }))]
      : []),
  ]
}

/** A time with its zone: without one, it would be another moment on each server. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

/** No cycles take any end away. */
function endOf({ billing_cycles, ends_at }: NewTerms): EndChange {
  return billing_cycles === 0
    ? { billing_cycles: null, ends_at: null }
    : { billing_cycles, ends_at: ends_at === undefined ? undefined : new Date(ends_at) }
}

/** The present values of the terms that a change names, as a workflow keeps them for its compensation: JSON. */
export type StoredTerms = Partial<
  Pick<SubscriptionRow, "amount_minor" | "quantity" | "source" | "interval_count" | "interval_unit" | "meta_data">
> & { end?: Omit<FormerEnd, "ends_at"> & { ends_at: string | null } }

export function storedTerms(row: SubscriptionRow, change: SubscriptionChange): StoredTerms {
  const { amount_minor, quantity, source, interval_count, interval_unit, meta_data } = row
  const { billing_cycles, ends_at, has_own_end } = row
  const isNamed = (...names: (keyof SubscriptionChange)[]) => names.some((name) => change[name] !== undefined)
  return {
    ...(isNamed("amount", "unit_amount", "quantity") ? { amount_minor, quantity, source } : {}),
    ...(isNamed("interval_count") ? { interval_count } : {}),
    ...(isNamed("interval_unit") ? { interval_unit } : {}),
    ...(isNamed("meta_data") ? { meta_data } : {}),
    ...(isNamed("billing_cycles", "ends_at")
      ? { end: { billing_cycles, ends_at: ends_at?.toISOString() ?? null, has_own_end } }
      : {}),
  }
}

/** The columns of the subscription that hold them. */
export function columnsOf({ end, ...columns }: StoredTerms): Partial<SubscriptionRow> {
  return { ...columns, ...endOfStored(end) }
}

/** The change that brings them back. Goods of the store have no price of one: their amount contains the delivery. */
export function formerTerms({ end, amount_minor, quantity, source, ...terms }: StoredTerms): SubscriptionChange {
  const former = end === undefined ? terms : { ...terms, former_end: endOfStored(end) }
  if (amount_minor === undefined || quantity === undefined) {
    return former
  }
  return source === "store"
    ? { ...former, amount: BigInt(amount_minor) }
    : { ...former, unit_amount: BigInt(unitOf({ amount_minor, quantity })), quantity }
}

function endOfStored(end: StoredTerms["end"]): FormerEnd | undefined {
  return end && { ...end, ends_at: end.ends_at === null ? null : new Date(end.ends_at) }
}

/** The merchant's environment at this moment of its clock, and who acts in it. Throws MERCHANT_NOT_FOUND. */
export async function scopeOf(container: MedusaContainer, input: OfMerchant & ActedBy): Promise<Scope & By> {
  const { merchants, options } = gatewayIn(container)
  const merchant_id = input.merchant_id ?? (await merchants.storeMerchant(options.storeMerchantName)).id
  return { ...(await merchants.scope(merchant_id, input.environment ?? options.environment)), ...actorOf(input) }
}
