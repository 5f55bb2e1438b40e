import type { MedusaResponse, MedusaStoreRequest } from "@medusajs/framework/http"
import { gatewayIn } from "../../../../modules/gateway"
import type { EmiOffer } from "../../../../modules/gateway/emi/rules"
import type { Minor } from "../../../../modules/gateway/kernel/money/money"
import type GatewayModuleService from "../../../../modules/gateway/service"
import { presentProductOffers, readEmiAmount } from "./resource"

/**
 * EMI offers for a product page: `?amount=`, `?cart_id=` or `?variant_id=&region_id=`. Empty when there are none
 * (amount too low, another currency, a store without EMI): the page then shows nothing.
 */
export const GET = async (request: MedusaStoreRequest, response: MedusaResponse) => {
  const gateway = gatewayIn(request.scope)
  const amount = await readEmiAmount(
    request.scope,
    request.query,
    request.publishable_key_context?.sales_channel_ids ?? []
  )
  const offers = amount.currency_code.toLowerCase() === "bdt" ? await storeOffers(gateway, amount.minor) : []
  response.set("Cache-Control", "no-store")
  response.json({ emi: presentProductOffers(amount, offers) })
}

/** The offers of the store's own merchant, who receives the carts' payments. */
async function storeOffers(gateway: GatewayModuleService, amount: Minor): Promise<EmiOffer[]> {
  const { environment, storeMerchantName } = gateway.options
  const { id: merchant_id } = await gateway.merchants.storeMerchant(storeMerchantName)
  const tenant = { merchant_id, environment }
  const { services } = await gateway.merchants.environment(tenant)
  return gateway.emi.offers(tenant, services, amount)
}
