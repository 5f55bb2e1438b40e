import { isBleeding, type EmiOffer } from "../../../../../modules/gateway/emi/rules"
import { formatAmount, type Minor } from "../../../../../modules/gateway/kernel/money"
import { envelope, type Answer } from "../../../../v2-kit/envelopes"
import { presentEmiOffer } from "../../../../gateway/emi-offer"

/** Contract 2.8: the figures of each offer for this amount. */
export function presentEmiAmounts(order_amount: Minor, offers: readonly EmiOffer[]): Answer {
  return envelope("EMI amounts", {
    order_amount: formatAmount(order_amount),
    merchant_bleeding: isBleeding(offers),
    emi_payment_options: offers.map(presentEmiOffer),
  })
}
