import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentList } from "../../../admin-kit/list"
import { presentEmiConfiguration } from "./present"
import { readFields, readFilter } from "./schemas"

/**
 * EMI configurations, newest first or `order=bank`; `archived=true` lists the archived ones, `bank_name` those of one
 * bank, `q` those whose bank's name begins with the text.
 */
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
