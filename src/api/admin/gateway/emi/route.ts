import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { EMI_FIELDS } from "../../../../modules/gateway/emi/input"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentEmiConfiguration, readFields, readFilter } from "./resource"

/**
 * EMI configurations, newest first or `order=bank`; `archived=true` lists the archived ones, `bank_name` those of one
 * bank, `q` those whose bank's name begins with the text.
 */
export const GET = listEndpoint({
  name: "emi_configurations",
  read: readFilter,
  page: ({ gateway, tenant }, filter, window) => gateway.emiConfigurations.list(tenant, { ...filter, ...window }),
  present: presentEmiConfiguration,
  columns: csvColumns("id", ...EMI_FIELDS, "created_at"),
})

export const POST = tenantEndpoint(async ({ gateway, tenant, body, actor }) => ({
  emi_configuration: presentEmiConfiguration(
    await gateway.emiConfigurations.create(tenant, readFields(body), { actor })
  ),
}))
