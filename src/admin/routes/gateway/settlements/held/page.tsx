import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useSearchParams } from "react-router-dom"
import { useFormats } from "../../../../lib/format"
import { About, type Entry } from "../../../../lib/payouts/parts"
import { SettlementPage, ToMonths, useSourceName } from "../../../../lib/settlements/parts"
import { AdminTable } from "../../../../lib/table/admin-table"
import { Amount, byTime } from "../../../../lib/table/parts"
import { useText } from "../../../../lib/text"
import { crumb } from "../../../../lib/ui/bits"

/** An entry of what a source held: above zero it then held more of our money. */
type Held = Omit<Entry, "payout_id" | "payout_reference">

const column = createDataTableColumnHelper<Held>()

function useHeldColumns() {
  const say = useText()
  const { time } = useFormats()
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...byTime(say, say("payouts.ledger.when")),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{time(getValue())}</span>,
      }),
      column.accessor("type", {
        header: say("payouts.ledger.kind"),
        cell: ({ getValue }) => say(`payouts.ledger.kinds.${getValue()}`),
      }),
      column.accessor("amount", {
        header: say("payments.amount"),
        align: "right",
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.display({
        id: "about",
        header: say("payouts.ledger.about"),
        cell: ({ row: { original } }) => <About entry={{ ...original, payout_id: null, payout_reference: null }} />,
      }),
    ],
    [say, time]
  )
}

/** What a figure of a month is made of, where that are movements of money and no lines. */
const HeldList = () => {
  const say = useText()
  const { month: monthName } = useFormats()
  const sourceName = useSourceName()
  const columns = useHeldColumns()
  const [params] = useSearchParams()
  const part = (name: string) => params.get(name) ?? undefined
  const [source = "", month = ""] = [part("source"), part("month")]
  const isWhole = source !== "" && month !== "" && part("figure") !== undefined
  return isWhole ? (
    <AdminTable<Held>
      path="/settlements/held"
      rows="held"
      columns={columns}
      fixed={{ source, month, figure: part("figure"), currency: part("currency") }}
      phone={["type", "amount", "about", "created_at"]}
      totals={{ amount: say("payments.amount") }}
      heading={say("settlements.month.held_title", { month: monthName(`${month}-01`), source: sourceName(source) })}
      description={say("settlements.month.held_hint")}
      empty={{ heading: say("payouts.ledger.empty"), description: say("payouts.ledger.empty_hint") }}
    />
  ) : (
    <ToMonths />
  )
}

const HeldPage = () => (
  <SettlementPage>
    <HeldList />
  </SettlementPage>
)

export const handle = crumb("settlements.tabs.months")

export default HeldPage
