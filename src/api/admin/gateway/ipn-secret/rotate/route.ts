import { tenantEndpoint } from "../../../../admin-kit/endpoint"

export const POST = tenantEndpoint(async ({ gateway, tenant }) => ({
  ipn_secret: await gateway.webhookEndpoints.rotateIpnSecret(tenant),
}))
