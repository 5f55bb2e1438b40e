import { tenantEndpoint } from "../../../admin-kit/endpoint"

/** The secret that signs IPNs; it may be shown at any time (decisions: Callback, IPN and webhook URLs). */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => ({
  ipn_secret: await gateway.webhookEndpoints.ipnSecret(tenant),
}))
