import { AUDIT_ACTIONS } from "../../../modules/gateway/kernel/database/logged-actions"
import { EVENT_TYPES } from "../../../modules/gateway/kernel/database/events"
import { storeEndpoint } from "../../admin-kit/endpoint"
import { permittedAreas, requireAnyPolicy } from "../../admin-kit/permissions"
import { publicUrlOf } from "../../v2-kit/target"

/**
 * What the admin's pages start with: the deployment, its merchants, the one that receives the store's own carts, and
 * where the admin may read, change or delete something. Any policy of the gateway is enough.
 */
export const GET = storeEndpoint(async ({ gateway, request }) => {
  await requireAnyPolicy(request)
  const own = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
  const merchants = await gateway.merchants.list()
  const url = publicUrlOf(gateway, request)
  const isProduction = gateway.options.environment === "production"
  return {
    environment: gateway.options.environment,
    base_urls: {
      sandbox: `${url}${isProduction ? "/sandbox" : ""}/api/v2`,
      production: isProduction ? `${url}/api/v2` : null,
    },
    reference_url: gateway.options.reference ? `${url}/api/v2/docs` : null,
    default_merchant_id: own.id,
    merchants: merchants.map(({ id, number, name, status, time_zones }) => ({ id, number, name, status, time_zones })),
    event_types: EVENT_TYPES,
    audit_actions: AUDIT_ACTIONS,
    scopes: gateway.apiKeys.scopes,
    ...(await permittedAreas(request)),
  }
})
