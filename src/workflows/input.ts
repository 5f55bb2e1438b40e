import type { MedusaContainer } from "@medusajs/framework/types"
import { messageOf } from "../i18n/message"
import { gatewayIn } from "../modules/gateway"
import type { By } from "../modules/gateway/kernel/database/audit"
import { INTERVAL_UNITS, type IntervalUnit } from "../modules/gateway/kernel/money/calendar"
import { fault, validationError, type FieldFailure } from "../modules/gateway/kernel/errors"
import { LIMITS } from "../modules/gateway/kernel/limits"
import { formatAmount, parseAmount, type Minor } from "../modules/gateway/kernel/money/money"
import type { Scope } from "../modules/gateway/kernel/types"
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

/** Decimal text to hundredths of the currency. Throws VALIDATION_ERROR for what is no amount above zero. */
export function readAmount(amount: string | undefined): Minor | undefined {
  if (amount === undefined) {
    return undefined
  }
  const minor = parseAmount(amount)
  if (minor === null || minor <= 0n) {
    throw validationError([fault("amount", messageOf("rule.amount", { example: "1250.00" }))])
  }
  return minor
}

/** Decimal text and whole numbers. */
export type NewTerms = {
  amount?: string
  interval_count?: number
  interval_unit?: IntervalUnit
  meta_data?: Record<string, unknown>
}

/** New terms of a subscription, within the bounds that `/api/v2` has. Throws VALIDATION_ERROR, AMOUNT_TOO_LOW, AMOUNT_TOO_HIGH. */
export function readTerms({ amount, interval_count, interval_unit, meta_data }: NewTerms): SubscriptionChange {
  const minor = readAmount(amount)
  const { orderAmountMinMinor: least, orderAmountMaxMinor: most, intervalCountMax } = LIMITS
  const failures: FieldFailure[] = []
  if (minor !== undefined && minor < least) {
    failures.push(fault("amount", messageOf("rule.min", { min: formatAmount(least) }), "AMOUNT_TOO_LOW"))
  }
  if (minor !== undefined && minor > most) {
    failures.push(fault("amount", messageOf("rule.max", { max: formatAmount(most) }), "AMOUNT_TOO_HIGH"))
  }
  if (interval_count !== undefined && !isWithin(interval_count, intervalCountMax)) {
    failures.push(fault("interval_count", messageOf("rule.whole_number_within", { min: 1, max: intervalCountMax })))
  }
  if (interval_unit !== undefined && !INTERVAL_UNITS.includes(interval_unit)) {
    failures.push(fault("interval_unit", messageOf("rule.one_of", { values: INTERVAL_UNITS.join(", ") })))
  }
  if (failures.length > 0) {
    throw validationError(failures)
  }
  return {
    ...(minor === undefined ? {} : { amount: minor }),
    ...(interval_count === undefined ? {} : { interval_count }),
    ...(interval_unit === undefined ? {} : { interval_unit }),
    ...(meta_data === undefined ? {} : { meta_data }),
  }
}

function isWithin(count: number, most: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= most
}

/** The merchant's environment at this moment of its clock, and who acts in it. Throws MERCHANT_NOT_FOUND. */
export async function scopeOf(container: MedusaContainer, input: OfMerchant & ActedBy): Promise<Scope & By> {
  const { merchants, options } = gatewayIn(container)
  const merchant_id = input.merchant_id ?? (await merchants.storeMerchant(options.storeMerchantName)).id
  return { ...(await merchants.scope(merchant_id, input.environment ?? options.environment)), ...actorOf(input) }
}
