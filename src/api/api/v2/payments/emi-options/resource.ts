import { z } from "@medusajs/framework/zod"
import { type EmiConfiguration, byBankAndTenure, groupByBank } from "../../../../../modules/gateway/emi/rules"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { formatPercent } from "../../../../../modules/gateway/kernel/money/money"
import type { JsonObject } from "../../../../v2-kit/body"
import { described } from "../../../../v2-kit/described"
import { arrayOf, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import { parse, rule, withoutAbsent } from "../../../../v2-kit/validate"

const tenure = named("EmiTenure", () =>
  z.object({
    interest_rate: words("The rate in percent, as in `9.00`."),
    tenure: words("How many months, as text."),
    uuid: words("The instalment plan; a checkout takes it as `emi_configuration_id`."),
    card_prefixes: arrayOf(
      z.string(),
      "The first digits of the cards that it is for; empty: every card. Only with `include=cards`."
    ).optional(),
  })
)

export const emiOptions = named("EmiOptions", () =>
  z.object({
    emi_options: arrayOf(
      z.object({ bank_name: words("The bank."), tenures: arrayOf(tenure(), "What it offers.") }),
      "The banks by name."
    ),
  })
)

/** What the answer may be asked to contain besides the contract's members. */
const INCLUDABLE = ["cards"] as const

export const querySchema = z.object({
  include: z
    .string(rule("each_of", { values: INCLUDABLE.join(", ") }))
    .transform(
      described((names: string) => names.split(",", LIMITS.choicesMax + 1), { type: "string", enum: INCLUDABLE })
    )
    .refine((names) => names.length <= LIMITS.choicesMax && names.every((name) => INCLUDABLE.includes(name as never)), {
      error: rule("each_of", { values: INCLUDABLE.join(", ") }),
    })
    .optional(),
})

/** `include=cards`: each tenure says which cards it is for (docs/decisions/15). */
export function readInclude(query: JsonObject): { cards: boolean } {
  return { cards: parse(querySchema, withoutAbsent(query, [])).include?.includes("cards") ?? false }
}

/**
 * Contract 2.8: the tenures of each bank, by bank name and tenure. With `cards` also the first digits of the cards that
 * each is for; an empty list means every card.
 */
export function presentEmiOptions(configurations: readonly EmiConfiguration[], { cards }: { cards: boolean }) {
  const sorted = [...configurations].sort(byBankAndTenure)
  const emi_options = groupByBank(sorted, (configuration) => configuration).map(({ bank_name, entries }) => ({
    bank_name,
    tenures: entries.map(({ rate_ppm, tenure_months, uuid, card_prefixes }) => ({
      interest_rate: formatPercent(rate_ppm),
      tenure: String(tenure_months),
      uuid,
      ...(cards ? { card_prefixes } : {}),
    })),
  }))
  return { emi_options }
}
