import { BYTE_ORDER_MARK, inDhaka } from "../../../admin-kit/csv"
import { startOfDay } from "../../../../modules/gateway/kernel/money/calendar"
import { sheetText } from "../../../../modules/gateway/kernel/text/csv"
import { CSV_TYPE, statementName, statementRows } from "../../../api/v2/payments/balance/statement/csv"
import { readPeriod } from "../../../api/v2/payments/balance/resource"
import { readCurrency, tenantFileEndpoint } from "../../../admin-kit/endpoint"

/**
 * A merchant's statement in one `currency` (absent: BDT) as CSV for a spreadsheet: `from` and `to` are days of
 * Asia/Dhaka as in the overview, both inclusive (decisions: Days). The file is named after them.
 */
export const GET = tenantFileEndpoint(async ({ gateway, tenant, query }) => {
  const days = readPeriod(query, "from", "to")
  const period = { from: startOfDay(days.from), before: startOfDay(days.before) }
  const currency = readCurrency(query)
  const [head, ...rows] = statementRows(await gateway.ledger.statement(tenant, currency, period), period)
  const lines = rows.map(([at, ...others]) => [at, inDhaka(at), ...others])
  const content = BYTE_ORDER_MARK + sheetText([[head[0], "date_in_dhaka", ...head.slice(1)], ...lines])
  return { content, type: CSV_TYPE, file: statementName(days, currency) }
})
