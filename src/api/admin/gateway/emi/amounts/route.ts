import { isBleeding } from "../../../../../modules/gateway/emi/rules"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import { readEmiAmounts } from "../../../../api/v2/payments/emi-amounts/resource"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentEmiOffer } from "../../../../gateway/emi-offer"

/** The EMI figures for an amount: the same numbers as `/api/v2/payments/emi-amounts`. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query }) => {
  const { order_amount, offers } = readEmiAmounts(await gateway.emi.configurations(tenant), query)
  return {
    order_amount: formatAmount(order_amount),
    merchant_bleeding: isBleeding(offers),
    emi_payment_options: offers.map(presentEmiOffer),
  }
})
