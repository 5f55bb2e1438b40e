import { byBankAndTenure, groupByBank, type EmiConfiguration } from "../../../../../modules/gateway/emi/rules"
import { formatPercent } from "../../../../../modules/gateway/kernel/money"
import { envelope, type Answer } from "../../../../v2-kit/envelopes"

/** Contract 2.8: the tenures of each bank, by bank name and tenure. */
export function presentEmiOptions(configurations: readonly EmiConfiguration[]): Answer {
  const sorted = [...configurations].sort(byBankAndTenure)
  const emi_options = groupByBank(sorted, (configuration) => configuration).map(({ bank_name, entries }) => ({
    bank_name,
    tenures: entries.map(({ rate_ppm, tenure_months, uuid }) => ({
      interest_rate: formatPercent(rate_ppm),
      tenure: String(tenure_months),
      uuid,
    })),
  }))
  return envelope("EMI options", { emi_options })
}
