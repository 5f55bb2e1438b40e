import {
  cheapestOffer,
  costOf,
  groupByBank,
  smallestInstalment,
  type EmiOffer,
} from "../../../../modules/gateway/emi/rules"
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
    from: from === null ? null : presentProductOffer(from),
    banks: banks.map(({ bank_name, entries }) => ({
      bank_name,
      options: entries.map((offer) => ({
        ...presentProductOffer(offer),
        last_installment: formatAmount(offer.figures.last),
        lowest_cost: offer === cheapest,
      })),
    })),
  }
}

/** The contract lists the fee apart from the total; a shopper wants to know what is paid in all. */
function presentProductOffer(offer: EmiOffer) {
  return { ...presentEmiOffer(offer), total_with_fee: formatAmount(costOf(offer)) }
}
