import { tenantEndpoint } from "../../../../desk/endpoint"

export const POST = tenantEndpoint(async ({ gateway, tenant }) => ({
  ipn_secret: await gateway.webhookEndpoints.rotateIpnSecret(tenant),
}))
