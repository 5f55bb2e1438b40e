import { tenantEndpoint } from "../../../../../admin-kit/endpoint"

/** Tests the account's credentials; with `credentials` in the body these, before they are saved. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => ({
  test: await gateway.acquirerTests.test(tenant, params.id, body.credentials),
}))
