import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { publicUrlOf } from "../../../../v2-kit/address"
import { presentAcquirer } from "../present"
import { readAccountChange } from "../schemas"

/** Creates or changes the merchant's account at the acquirer. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body, request }) => {
  const saved = await gateway.acquirerAccounts.save(tenant, params.id, readAccountChange(body))
  return { acquirer: presentAcquirer(saved, publicUrlOf(gateway, request)) }
})
