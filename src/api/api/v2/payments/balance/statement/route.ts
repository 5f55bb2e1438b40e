import { HOME_CURRENCY } from "../../../../../../modules/gateway/kernel/money/currencies"
import { csvText } from "../../../../../../modules/gateway/kernel/text/csv"
import { operation } from "../../../../../v2-kit/operation"
import { periodSchema, readPeriod } from "../resource"
import { CSV_TYPE, statementName, statementRows } from "./csv"
import { download } from "../../../../../v2-kit/answers"

/** The balance in BDT over a period as CSV: `from_date` and `to_date` are UTC days, both inclusive. */
export const GET = operation({
  id: "downloadStatement",
  tag: "Balance",
  summary: "Download a statement as CSV",
  description: "The balance before the period, every change with gross, fee and net, and the balance after it.",
  scope: "payments:read",
  query: {
    schema: periodSchema("from_date", "to_date"),
    notes: {
      from_date: "The first day, in UTC.",
      to_date: "The last day, in UTC; at most 366 days with the first.",
    },
  },
  answer: download(CSV_TYPE, "The file."),
  codes: ["INVALID_DATE_FORMAT", "MISSING_REQUIRED_FIELD"],
  run: async ({ gateway, caller, query }) => {
    const period = readPeriod(query, "from_date", "to_date")
    const rows = statementRows(await gateway.ledger.statement(caller, HOME_CURRENCY, period), period)
    return { name: statementName(period), bytes: Buffer.from(csvText(rows), "utf8") }
  },
})
