import { BYTE_ORDER_MARK, zonedTime } from "../../../admin-kit/csv"
import { HOME_TIME_ZONE } from "../../../../i18n/formats"
import { dayStart } from "../../../../i18n/days"
import { dayOfDate } from "../../../../modules/gateway/kernel/database/counter-rules"
import { sheetText } from "../../../../modules/gateway/kernel/text/csv"
import { CSV_TYPE, statementName, statementRows } from "../../../api/v2/payments/balance/statement/csv"
import { readPeriod } from "../../../api/v2/payments/balance/resource"
import { readCurrency, tenantFileEndpoint } from "../../../admin-kit/endpoint"

/**
 * A merchant's statement in one `currency` (absent: BDT) as CSV for a spreadsheet: `from` and `to` are days of
 * the merchant's time zone as in the overview, both inclusive (decisions: Days). The file is named after them.
 */
export const GET = tenantFileEndpoint(async ({ gateway, tenant, query }) => {
  const days = readPeriod(query, "from", "to")
  const { time_zone } = tenant
  const startOf = (day: Date) => dayStart(dayOfDate(day), time_zone)
  const period = { from: startOf(days.from), before: startOf(days.before) }
  const currency = readCurrency(query)
  const [head, ...rows] = statementRows(await gateway.ledger.statement(tenant, currency, period), period)
  const lines = rows.map(([at, ...others]) => [at, zonedTime(at, time_zone), ...others])
  const content = BYTE_ORDER_MARK + sheetText([[head[0], zonedDate(time_zone), ...head.slice(1)], ...lines])
  return { content, type: CSV_TYPE, file: statementName(days, currency) }
})

/** The name of the column, which programs read: `date_in_dhaka`, `date_in_america_new_york`. */
function zonedDate(zone: string): string {
  const name = zone === HOME_TIME_ZONE ? "dhaka" : zone.toLowerCase().replace(/[^a-z0-9]+/g, "_")
  return `date_in_${name}`
}
