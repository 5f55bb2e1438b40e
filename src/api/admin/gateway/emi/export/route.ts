import { sheetText } from "../../../../../modules/gateway/kernel/text/csv"
import { EMI_FIELDS, emiFields } from "../../../../../modules/gateway/emi/input"
import { byBankAndTenure } from "../../../../../modules/gateway/emi/rules"
import { BYTE_ORDER_MARK } from "../../../../admin-kit/csv"
import { tenantFileEndpoint } from "../../../../admin-kit/endpoint"
import { textOf } from "../../../../../modules/gateway/kernel/text/text"

const CSV_TYPE = "text/csv; charset=utf-8"

/** Every configuration that is not archived, as CSV that can be imported again: by bank, then tenure. */
export const GET = tenantFileEndpoint(async ({ gateway, tenant }) => {
  const configurations = await gateway.emiConfigurations.all(tenant)
  const rows = configurations.sort(byBankAndTenure).map((configuration) => {
    const fields = emiFields(configuration)
    return EMI_FIELDS.map((name) =>
      name === "card_prefixes" ? configuration.card_prefixes.join(" ") : textOf(fields[name])
    )
  })
  return { content: BYTE_ORDER_MARK + sheetText([EMI_FIELDS, ...rows]), type: CSV_TYPE, file: "emi-configurations.csv" }
})
