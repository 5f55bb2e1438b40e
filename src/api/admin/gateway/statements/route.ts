import { CSV_TYPE, statementCsv, statementName } from "../../../api/v2/payments/balance/statement/csv"
import { readPeriod } from "../../../api/v2/payments/balance/resource"
import { readCurrency, tenantFileEndpoint } from "../../../admin-kit/endpoint"

/** A merchant's statement in one `currency` (absent: BDT) as CSV: `from` and `to` are UTC days, both inclusive. */
export const GET = tenantFileEndpoint(async ({ gateway, tenant, query }) => {
  const period = readPeriod(query, "from", "to")
  const currency = readCurrency(query)
  const content = statementCsv(await gateway.ledger.statement(tenant, currency, period), period)
  return { content, type: CSV_TYPE, file: statementName(period, currency) }
})
