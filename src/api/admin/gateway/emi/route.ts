import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentList } from "../../../admin-kit/list"
import { presentEmiConfiguration } from "./present"
import { readFields, readFilter } from "./schemas"

/** EMI configurations, newest first or `order=bank`; `archived=true` lists those that are archived, `bank_name` a bank's, `q` begins a bank's name. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query }) => {
  const filter = readFilter(query)
  return presentList(
    "emi_configurations",
    await gateway.emiConfigurations.list(tenant, filter),
    filter,
    presentEmiConfiguration
  )
})

export const POST = tenantEndpoint(async ({ gateway, tenant, body, actor }) => ({
  emi_configuration: presentEmiConfiguration(
    await gateway.emiConfigurations.create(tenant, readFields(body), { actor })
  ),
}))
