import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import {
  covers,
  emiOffers,
  emiRange,
  type EmiConfiguration,
  type EmiOffer,
} from "../../../../../modules/gateway/emi/rules"
import { fault, validationError, type FieldFailure } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { formatAmount, type Minor } from "../../../../../modules/gateway/kernel/money"
import type { JsonObject } from "../../../../v2-kit/body"
import { listOf } from "../../../../v2-kit/lists"
import { amount, check, rule, withoutAbsent } from "../../../../v2-kit/validate"

export const bodySchema = z.object({
  order_amount: amount.refine((minor) => minor > 0n, rule("positive_number")),
  emi_configuration_id: listOf(z.unknown(), {
    max: LIMITS.emiAmountsMaxIds,
    kind: rule("list_of_emi_ids"),
    many: rule("max_ids", { max: LIMITS.emiAmountsMaxIds }),
  }).optional(),
})

/**
 * Validates a body and returns its offers. 400 INVALID_EMI_AMOUNT below the minimum and, for a named configuration,
 * outside its range; 422 for any other failure, with the index of an unknown or inactive id. When both apply,
 * VALIDATION_ERROR lists all failures, as for a checkout (decisions: Requests; EMI).
 */
export function readEmiAmounts(
  configurations: readonly EmiConfiguration[],
  body: JsonObject
): { order_amount: Minor; offers: EmiOffer[] } {
  const present = withoutAbsent(body, [])
  const checked = check(bodySchema, present)
  const minor = check(bodySchema.shape.order_amount, present.order_amount).value
  const ids = check(bodySchema.shape.emi_configuration_id, present.emi_configuration_id).value ?? []
  const named = configurations.filter(({ uuid }) => ids.includes(uuid))
  const failures = [
    ...checked.failures,
    ...(minor === null ? [] : amountFailures(minor, named)),
    ...ids.flatMap((id, index) => (find(configurations, id) === undefined ? [unknownId(index)] : [])),
  ]
  if (checked.value === null || failures.length > 0) {
    throw validationError(failures)
  }
  const { order_amount } = checked.value
  return { order_amount, offers: emiOffers(ids.length === 0 ? configurations : named, order_amount) }
}

/** Below the minimum, or outside the range of a named configuration: the first one's, because the field is the same. */
function amountFailures(minor: Minor, named: readonly EmiConfiguration[]): FieldFailure[] {
  const outside = named.find((configuration) => !covers(configuration, minor))
  return minor < LIMITS.emiAmountMinMinor ? [belowMinimum()] : outside === undefined ? [] : [outOfRange(outside)]
}

function find(configurations: readonly EmiConfiguration[], id: unknown): EmiConfiguration | undefined {
  return configurations.find(({ uuid }) => uuid === id)
}

function unknownId(index: number): FieldFailure {
  return fault(`emi_configuration_id[${index}]`, messageOf("rule.emi_active"))
}

function belowMinimum(): FieldFailure {
  const minimum = messageOf("rule.emi_minimum", { min: formatAmount(LIMITS.emiAmountMinMinor) })
  return fault("order_amount", minimum, "INVALID_EMI_AMOUNT")
}

function outOfRange(configuration: EmiConfiguration): FieldFailure {
  return fault("order_amount", emiRange(configuration), "INVALID_EMI_AMOUNT")
}
