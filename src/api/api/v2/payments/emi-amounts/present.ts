import { isBleeding, type EmiOffer } from "../../../../../modules/gateway/domain/emi"
import { formatAmount, type Minor } from "../../../../../modules/gateway/domain/money"
import { envelope, type Answer } from "../../../../contract/envelopes"
import { presentEmiOffer } from "../../../../gateway/emi-offer"

/** Contract 2.8: what each offer comes to for this amount. */
export function presentEmiAmounts(order_amount: Minor, offers: readonly EmiOffer[]): Answer {
  return envelope("EMI amounts", {
    order_amount: formatAmount(order_amount),
    merchant_bleeding: isBleeding(offers),
    emi_payment_options: offers.map(presentEmiOffer),
  })
}
