import { cheapestOffer, groupByBank, smallestInstalment, type EmiOffer } from "../../../../modules/gateway/emi/rules"
import { formatAmount } from "../../../../modules/gateway/kernel/money"
import { presentEmiOffer } from "../../../gateway/emi-offer"
import type { EmiAmount } from "./amount"

/**
 * The EMI offers of a product page. `from` is the offer with the smallest instalments ("from ৳1,234 a month"), null
 * when there are none. Then every bank's offers in the API's format, with the last instalment and a mark on the
 * cheapest.
 */
export function presentProductOffers({ minor, currency_code }: EmiAmount, offers: readonly EmiOffer[]) {
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
