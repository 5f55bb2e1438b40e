import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentWebhook } from "../../resource"

/** The old secret remains valid as a second signature for 24 hours. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => {
  const row = await gateway.webhookEndpoints.rotateSecret(tenant, params.id)
  return { webhook: presentWebhook(row), secret: row.secret }
})
