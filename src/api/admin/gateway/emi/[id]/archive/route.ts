import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentEmiConfiguration } from "../../resource"

export const POST = tenantEndpoint(async ({ gateway, tenant, params, actor }) => ({
  emi_configuration: presentEmiConfiguration(await gateway.emiConfigurations.archive(tenant, params.id, { actor })),
}))
