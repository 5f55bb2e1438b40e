import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import {
  type EmiConfiguration,
  type EmiOffer,
  covers,
  emiOffers,
  emiRange,
  isBleeding,
} from "../../../../../modules/gateway/emi/rules"
import { type FieldFailure, fault, validationError } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { type Minor, formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import { presentEmiOffer } from "../../../../gateway/emi-offer"
import type { JsonObject } from "../../../../v2-kit/body"
import { listOf } from "../../../../v2-kit/lists"
import { arrayOf, money, truth, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import { amount, check, rule, withoutAbsent } from "../../../../v2-kit/validate"

const emiOffer = named("EmiOffer", () =>
  z.object({
    bank_name: words("The bank."),
    tenure: words("How many months, as text."),
    interest_rate: words("The rate in percent, as in `9.00`."),
    monthly_installment: money("Each instalment; the last one takes what rounding leaves."),
    total_amount: money("All instalments together."),
    total_interest: money("What of it is interest."),
    processing_fee: money("What the bank charges once, besides."),
    uuid: words("The instalment plan; a checkout takes it as `emi_configuration_id`."),
    merchant_bleeding: truth("Whether the merchant pays interest and fee instead of the customer."),
  })
)

export const emiAmounts = named("EmiAmounts", () =>
  z.object({
    order_amount: money("The amount that was asked about."),
    merchant_bleeding: truth("Whether that holds for every plan listed."),
    emi_payment_options: arrayOf(emiOffer(), "What each plan costs, by bank and months."),
  })
)

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

/** Contract 2.8: the figures of each offer for this amount. */
export function presentEmiAmounts(order_amount: Minor, offers: readonly EmiOffer[]) {
  return {
    order_amount: formatAmount(order_amount),
    merchant_bleeding: isBleeding(offers),
    emi_payment_options: offers.map(presentEmiOffer),
  }
}
