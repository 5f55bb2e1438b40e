import { byBankAndTenure, groupByBank, type EmiConfiguration } from "../../../../../modules/gateway/emi/rules"
import { formatPercent } from "../../../../../modules/gateway/kernel/money"
import { envelope, type Answer } from "../../../../v2-kit/envelopes"

/**
 * Contract 2.8: the tenures of each bank, by bank name and tenure. With `cards` also the first digits of the cards that
 * each is for; an empty list means every card.
 */
export function presentEmiOptions(configurations: readonly EmiConfiguration[], { cards }: { cards: boolean }): Answer {
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
  return envelope("EMI options", { emi_options })
}
