import { BYTE_ORDER_MARK } from "../../../../../../../admin-kit/csv"
import { tenantFileEndpoint } from "../../../../../../../admin-kit/endpoint"
import { CSV_TYPE } from "../../../../../../../api/v2/payments/balance/statement/csv"
import { readReport } from "../../../resource"

/** The report of a month, closed or not, as `format` pdf or csv, in the language `lang` (en or bn). */
export const GET = tenantFileEndpoint(async ({ gateway, tenant, params, query, language: own }) => {
  const { source, month } = params
  const { format, language } = readReport(query, own)
  const file = `settlement-${source.replace(/[^a-zA-Z0-9_-]+/g, "-")}-${tenant.environment}-${month}-${language}.${format}`
  if (format === "csv") {
    const content = BYTE_ORDER_MARK + (await gateway.settlementReports.csv(tenant, source, month, language))
    return { content, type: CSV_TYPE, file }
  }
  const content = await gateway.settlementReports.pdf(tenant, source, month, language)
  return { content, type: "application/pdf", file }
})
