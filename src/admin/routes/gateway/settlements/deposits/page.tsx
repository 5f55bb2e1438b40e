import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../../../../lib/format"
import { LineTable } from "../../../../lib/settlements/lines"
import { SettlementPage, useSourceName, useSources } from "../../../../lib/settlements/parts"
import { settles, type Batch } from "../../../../lib/settlements/types"
import { AdminTable } from "../../../../lib/table/admin-table"
import { Amount, byDate, oneOf, TwoLines, useToday } from "../../../../lib/table/parts"
import { useText } from "../../../../lib/text"
import { Badge, crumb } from "../../../../lib/ui/bits"
import { Link } from "../../../../lib/ui/page-links"

const column = createDataTableColumnHelper<Batch>()

function useBatchColumns() {
  const say = useText()
  const { day } = useFormats()
  const sourceName = useSourceName()
  return useMemo(
    () => [
      column.accessor("batch", {
        header: say("settlements.deposit.settlement"),
        cell: ({ row: { original } }) => (
          <TwoLines
            first={
              <Link
                to={`/gateway/settlements/lines?${new URLSearchParams({ q: original.batch, source: original.source }).toString()}`}
                className="text-ui-fg-interactive"
              >
                {original.batch}
              </Link>
            }
            second={sourceName(original.source)}
          />
        ),
      }),
      column.accessor("last_day", {
        header: say("settlements.deposit.last_day"),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{day(getValue())}</span>,
      }),
      column.accessor("net", {
        header: say("settlements.net"),
        align: "right",
        cell: ({ row: { original } }) => <Amount amount={original.net} currency={original.currency} />,
      }),
      column.accessor("deposited", {
        header: say("settlements.deposit.deposited"),
        align: "right",
        cell: ({ row: { original } }) => <Amount amount={original.deposited} currency={original.currency} />,
      }),
      column.accessor("outstanding", {
        header: say("settlements.deposit.outstanding"),
        align: "right",
        cell: ({ row: { original } }) => <Amount amount={original.outstanding} currency={original.currency} />,
      }),
      column.accessor("status", {
        header: say("payments.status"),
        cell: ({ row: { original } }) => (
          <TwoLines
            first={
              <Badge color={original.status === "open" ? "orange" : "green"}>
                {say(original.status === "open" ? "settlements.deposit.open" : "settlements.deposit.whole")}
              </Badge>
            }
            second={original.unknown > 0 ? say("settlements.left.unknown", { count: original.unknown }) : null}
          />
        ),
      }),
    ],
    [say, day, sourceName]
  )
}

const Deposits = () => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const columns = useBatchColumns()
  const sources = useSources()
  const sourceName = useSourceName()
  const filters = useMemo(
    () => [
      oneOf("status", say("payments.status"), [
        { value: "open", label: say("settlements.deposit.open") },
        { value: "deposited", label: say("settlements.deposit.whole") },
      ]),
      oneOf(
        "source",
        say("settlements.source"),
        sources
          .filter(({ source }) => settles(source))
          .map(({ source }) => ({ value: source, label: sourceName(source) }))
      ),
      byDate(say, formats, today),
    ],
    [say, formats, today, sources, sourceName]
  )
  return (
    <>
      <LineTable
        heading={say("settlements.deposit.title")}
        description={say("settlements.deposit.description")}
        fixed={{ kind: "deposit" }}
        prefix="bank_"
      />
      <AdminTable<Batch>
        path="/settlements/batches"
        rows="batches"
        columns={columns}
        filters={filters}
        level="h2"
        heading={say("settlements.deposit.batches")}
        description={say("settlements.deposit.batches_hint")}
        phone={["batch", "outstanding", "status"]}
        totals={{
          net: say("settlements.net"),
          deposited: say("settlements.deposit.deposited"),
          outstanding: say("settlements.deposit.outstanding"),
        }}
        searchFor={say("settlements.deposit.settlement")}
        empty={{
          heading: say("settlements.deposit.no_batches"),
          description: say("settlements.deposit.no_batches_hint"),
        }}
      />
    </>
  )
}

const DepositsPage = () => (
  <SettlementPage>
    <Deposits />
  </SettlementPage>
)

export const handle = crumb("settlements.tabs.deposits")

export default DepositsPage
