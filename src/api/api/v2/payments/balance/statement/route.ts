import { HOME_CURRENCY } from "../../../../../../modules/gateway/kernel/currencies"
import { download } from "../../../../../v2-kit/envelopes"
import { endpoint } from "../../../../../v2-kit/endpoint"
import { readPeriod } from "../schemas"
import { CSV_TYPE, statementCsv, statementName } from "./csv"

/** The balance in BDT over a period as CSV: `from_date` and `to_date` are UTC days, both inclusive. */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const period = readPeriod(query, "from_date", "to_date")
  const text = statementCsv(await gateway.ledger.statement(caller, HOME_CURRENCY, period), period)
  return download({ name: statementName(period), type: CSV_TYPE, bytes: Buffer.from(text, "utf8") })
})
