/** Whether an order that requires instalments can have them (contract 4.4; decisions: EMI). Pure. */
import { messageOf, type Message } from "../../../i18n/message"
import { fault, GatewayError, type FieldFailure } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import { formatAmount, type Minor } from "../kernel/money/money"
import { covers, emiRange, type EmiConfiguration } from "./rules"

/**
 * The faults of the EMI fields of an order. `unavailable` is SERVICE_NOT_ENABLED: the merchant has no instalments to
 * offer. Callers throw it only if the order has no other fault.
 */
export type EmiCheck = { failures: FieldFailure[]; unavailable: GatewayError | null }

export const NOTHING_WRONG: EmiCheck = { failures: [], unavailable: null }

/** `prefix` precedes the names of the fields. */
export function unavailable(failures: FieldFailure[], reason: Message, prefix: string): EmiCheck {
  return { failures, unavailable: new GatewayError("SERVICE_NOT_ENABLED", reason, { field: `${prefix}requires_emi` }) }
}

/** INVALID_EMI_AMOUNT below the contract's minimum. `amount` null: it is no amount, and fails as one elsewhere. */
export function minimumFailures(amount: Minor | null): FieldFailure[] {
  const minimum = { min: formatAmount(LIMITS.emiAmountMinMinor) }
  return amount !== null && amount < LIMITS.emiAmountMinMinor
    ? [outOfRange(messageOf("rule.emi_minimum", minimum))]
    : []
}

/** Checks the order against the merchant's configurations: the named one (`uuid`), or any when none is named. */
export function checkOffer(
  configurations: readonly EmiConfiguration[],
  amount: Minor | null,
  uuid: string | null,
  prefix: string
): EmiCheck {
  const below = minimumFailures(amount)
  if (uuid === null && configurations.length === 0) {
    return unavailable(below, messageOf("refusal.emi_none_active"), prefix)
  }
  const named = configurations.filter((configuration) => uuid === null || configuration.uuid === uuid)
  if (named.length === 0) {
    return {
      failures: [...below, fault(`${prefix}emi_configuration_id`, messageOf("rule.emi_active"))],
      unavailable: null,
    }
  }
  if (amount === null || below.length > 0 || named.some((configuration) => covers(configuration, amount))) {
    return { failures: below, unavailable: null }
  }
  const range = uuid === null ? messageOf("rule.emi_some_range") : emiRange(named[0])
  return { failures: [outOfRange(range)], unavailable: null }
}

function outOfRange(rule: Message): FieldFailure {
  return fault("order_amount", rule, "INVALID_EMI_AMOUNT")
}
