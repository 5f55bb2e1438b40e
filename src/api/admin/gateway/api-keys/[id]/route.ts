import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentKey } from "../resource"

/** Revokes a key from the next request on; it stays in the list. */
export const DELETE = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  api_key: presentKey(await gateway.apiKeys.revoke(tenant, params.id)),
}))
