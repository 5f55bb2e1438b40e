import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { publicUrlOf } from "../../../../v2-kit/target"
import { presentAcquirer, readAccountChange } from "../resource"

/** Creates or changes the merchant's account at the acquirer. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body, request }) => {
  const saved = await gateway.acquirerAccounts.save(tenant, params.id, readAccountChange(body))
  return { acquirer: presentAcquirer(saved, publicUrlOf(gateway, request)) }
})
