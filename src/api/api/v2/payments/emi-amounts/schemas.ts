import { z } from "@medusajs/framework/zod"
import { covers, emiOffers, type EmiConfiguration, type EmiOffer } from "../../../../../modules/gateway/emi/rules"
import { validationError, type FieldFailure } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { formatAmount, type Minor } from "../../../../../modules/gateway/kernel/money"
import type { JsonObject } from "../../../../v2-kit/body"
import { amount, check, withoutAbsent } from "../../../../v2-kit/validate"

const bodySchema = z.object({
  order_amount: amount.refine((minor) => minor > 0n, "must be a positive number"),
  emi_configuration_id: z
    .array(z.unknown(), "must be a list of EMI configuration ids")
    .max(LIMITS.emiAmountsMaxIds, `must have at most ${LIMITS.emiAmountsMaxIds} ids`)
    .optional(),
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
  const failures = [
    ...checked.failures,
    ...(minor !== null && minor < LIMITS.emiAmountMinMinor ? [belowMinimum()] : []),
    ...ids.flatMap((id, index) => (find(configurations, id) === undefined ? [unknownId(index)] : [])),
  ]
  if (checked.value === null || failures.length > 0) {
    throw validationError(failures)
  }
  const { order_amount } = checked.value
  const named = ids.length === 0 ? configurations : configurations.filter(({ uuid }) => ids.includes(uuid))
  const outside =
    ids.length === 0 ? [] : named.filter((configuration) => !covers(configuration, order_amount)).map(outOfRange)
  if (outside.length > 0) {
    throw validationError([outside[0]])
  }
  return { order_amount, offers: emiOffers(named, order_amount) }
}

function find(configurations: readonly EmiConfiguration[], id: unknown): EmiConfiguration | undefined {
  return configurations.find(({ uuid }) => uuid === id)
}

function unknownId(index: number): FieldFailure {
  const field = `emi_configuration_id[${index}]`
  return { field, code: "VALIDATION_ERROR", message: `${field} is not an active EMI configuration` }
}

function belowMinimum(): FieldFailure {
  const minimum = formatAmount(LIMITS.emiAmountMinMinor)
  return {
    field: "order_amount",
    code: "INVALID_EMI_AMOUNT",
    message: `order_amount must be at least ${minimum} BDT for EMI`,
  }
}

function outOfRange({ bank_name, tenure_months, min_amount_minor, max_amount_minor }: EmiConfiguration): FieldFailure {
  const range = `from ${formatAmount(min_amount_minor)} to ${formatAmount(max_amount_minor)} BDT`
  const message = `order_amount must be ${range} for ${bank_name} over ${tenure_months} months`
  return { field: "order_amount", code: "INVALID_EMI_AMOUNT", message }
}
