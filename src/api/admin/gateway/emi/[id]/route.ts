import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentEmiConfiguration, readFields } from "../resource"

export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  emi_configuration: presentEmiConfiguration(await gateway.emiConfigurations.retrieve(tenant, params.id)),
}))

/** Changes only the given fields. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body, actor }) => {
  const changed = await gateway.emiConfigurations.change(tenant, params.id, readFields(body), { actor })
  return { emi_configuration: presentEmiConfiguration(changed) }
})
