import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useSearchParams } from "react-router-dom"
import { useFormats } from "../../../../lib/format"
import { SettlementPage, ToMonths, useSourceName } from "../../../../lib/settlements/parts"
import type { Brought } from "../../../../lib/settlements/types"
import { AdminTable } from "../../../../lib/table/admin-table"
import { Amount, byTime, TwoLines } from "../../../../lib/table/parts"
import { useText } from "../../../../lib/text"
import { crumb } from "../../../../lib/ui/bits"
import { Link } from "../../../../lib/ui/page-links"

const column = createDataTableColumnHelper<Brought>()

function useBroughtColumns() {
  const say = useText()
  const { date } = useFormats()
  return useMemo(
    () => [
      column.accessor("occurred_at", {
        ...byTime(say, say("payouts.ledger.when")),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{date(getValue())}</span>,
      }),
      column.accessor("batch", {
        header: say("settlements.deposit.settlement"),
        cell: ({ row: { original } }) => (
          <TwoLines
            first={
              <Link to={`/gateway/settlements/lines/${original.deposit_id}`} className="text-ui-fg-interactive">
                {original.batch}
              </Link>
            }
            second={original.reference}
          />
        ),
      }),
      column.accessor("amount", {
        header: say("settlements.deposit.came"),
        align: "right",
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.accessor("charge", {
        header: say("settlements.deposit.charge"),
        align: "right",
        cell: ({ row: { original } }) => <Amount amount={original.charge} currency={original.currency} />,
      }),
    ],
    [say, date]
  )
}

/** What deposits of a month brought of a source, each with the source's own part. */
const BroughtList = () => {
  const say = useText()
  const { month: monthName } = useFormats()
  const sourceName = useSourceName()
  const columns = useBroughtColumns()
  const [params] = useSearchParams()
  const part = (name: string) => params.get(name) ?? undefined
  const [source = "", month = ""] = [part("source"), part("month")]
  return source !== "" && month !== "" ? (
    <AdminTable<Brought>
      path="/settlements/brought"
      rows="brought"
      columns={columns}
      fixed={{ source, month, currency: part("currency") }}
      phone={["batch", "amount", "occurred_at"]}
      totals={{ amount: say("settlements.deposit.came"), charge: say("settlements.deposit.charge") }}
      heading={say("settlements.month.brought_title", { month: monthName(`${month}-01`), source: sourceName(source) })}
      description={say("settlements.month.brought_hint")}
      empty={{ heading: say("settlements.month.brought_none"), description: say("settlements.deposit.description") }}
    />
  ) : (
    <ToMonths />
  )
}

const BroughtPage = () => (
  <SettlementPage>
    <BroughtList />
  </SettlementPage>
)

export const handle = crumb("settlements.tabs.months")

export default BroughtPage
