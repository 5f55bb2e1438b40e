import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentEmiConfiguration } from "../../present"

export const POST = tenantEndpoint(async ({ gateway, tenant, params, actor }) => ({
  emi_configuration: presentEmiConfiguration(await gateway.emiConfigurations.archive(tenant, params.id, { actor })),
}))
