import type { MedusaResponse, MedusaStoreRequest } from "@medusajs/framework/http"
import { GATEWAY_MODULE } from "../../../../modules/gateway"
import type { EmiOffer } from "../../../../modules/gateway/emi/rules"
import type { Minor } from "../../../../modules/gateway/kernel/money"
import type GatewayModuleService from "../../../../modules/gateway/service"
import { amountAsked } from "./amount"
import { presentShopWindow } from "./present"

/**
 * Instalments for a shop window: `?amount=`, `?cart_id=` or `?variant_id=&region_id=`. What has no instalments (too
 * cheap, another currency, a store without EMI) is answered with none: a window shows nothing then.
 */
export const GET = async (request: MedusaStoreRequest, response: MedusaResponse) => {
  const gateway = request.scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const asked = await amountAsked(
    request.scope,
    request.query,
    request.publishable_key_context?.sales_channel_ids ?? []
  )
  const offers = asked.currency_code.toLowerCase() === "bdt" ? await storeOffers(gateway, asked.minor) : []
  response.set("Cache-Control", "no-store")
  response.json({ emi: presentShopWindow(asked, offers) })
}

/** Of the store's own merchant, to whom its carts are paid. */
async function storeOffers(gateway: GatewayModuleService, amount: Minor): Promise<EmiOffer[]> {
  const { environment, storeMerchantName } = gateway.options
  const { id: merchant_id } = await gateway.merchants.storeMerchant(storeMerchantName)
  const tenant = { merchant_id, environment }
  const { services } = await gateway.merchants.environment(tenant)
  return gateway.emi.offers(tenant, services, amount)
}
