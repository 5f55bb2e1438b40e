import { cheapestOffer, groupByBank, smallestInstalment, type EmiOffer } from "../../../../modules/gateway/emi/rules"
import { formatAmount } from "../../../../modules/gateway/kernel/money"
import { presentEmiOffer } from "../../../gateway/emi-offer"
import type { AmountAsked } from "./amount"

/**
 * What a shop window shows: `from` is the offer with the smallest instalments ("from ৳1,234 a month"), null when there
 * are none; then every bank's offers in the API's own words, with the last instalment and which costs least.
 */
export function presentShopWindow({ minor, currency_code }: AmountAsked, offers: readonly EmiOffer[]) {
  const from = smallestInstalment(offers)
  const cheapest = cheapestOffer(offers)
  const banks = groupByBank(offers, ({ configuration }) => configuration)
  return {
    amount: formatAmount(minor),
    currency_code,
    from: from === null ? null : presentEmiOffer(from),
    banks: banks.map(({ bank_name, entries }) => ({
      bank_name,
      options: entries.map((offer) => ({
        ...presentEmiOffer(offer),
        last_installment: formatAmount(offer.figures.last),
        lowest_cost: offer === cheapest,
      })),
    })),
  }
}
