import { defineRouteConfig } from "@medusajs/admin-sdk"
import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../../../lib/format"
import { Deadline, DisputeBadge } from "../../../lib/disputes/parts"
import { DISPUTE_STATUSES, type Dispute } from "../../../lib/disputes/types"
import { RecordDispute } from "../../../lib/disputes/record"
import { AdminTable } from "../../../lib/table/admin-table"
import { Amount, TwoLines, anyOf, byDate, byTime, useToday } from "../../../lib/table/parts"
import { useText } from "../../../lib/text"
import { AdminPage } from "../../../lib/ui/admin-page"
import { crumb } from "../../../lib/ui/bits"
import { Link } from "../../../lib/ui/page-links"

const column = createDataTableColumnHelper<Dispute>()

function useDisputeColumns() {
  const say = useText()
  const { time } = useFormats()
  return useMemo(
    () => [
      column.accessor("opened_at", {
        ...byTime(say, say("disputes.opened")),
        cell: ({ row: { original } }) => (
          <Link to={`/gateway/disputes/${original.id}`} className="text-ui-fg-interactive whitespace-nowrap">
            {time(original.opened_at)}
          </Link>
        ),
      }),
      column.accessor("amount", {
        header: say("payments.amount"),
        align: "right",
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.accessor("status", {
        header: say("payments.status"),
        cell: ({ getValue }) => <DisputeBadge status={getValue()} />,
      }),
      column.accessor("evidence_due_by", {
        header: say("disputes.due"),
        cell: ({ row: { original } }) => <Deadline dispute={original} />,
      }),
      column.accessor("reason", {
        header: say("disputes.reason"),
        cell: ({ getValue }) => say(`disputes.reasons.${getValue()}`),
      }),
      column.accessor("reference", {
        header: say("disputes.reference"),
        cell: ({ row: { original } }) => (
          <TwoLines first={original.reference} second={`${say("payments.order")} ${original.order_number}`} />
        ),
      }),
    ],
    [say, time]
  )
}

const DisputesPage = () => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const columns = useDisputeColumns()
  const filters = useMemo(
    () => [
      anyOf(
        "status",
        say("payments.status"),
        DISPUTE_STATUSES.map((value) => ({ value, label: say(`disputes.statuses.${value}`) }))
      ),
      byDate(say, formats, today),
    ],
    [say, formats, today]
  )
  return (
    <AdminPage>
      <AdminTable<Dispute>
        path="/disputes"
        totals={{
          open_amount: say("payouts.balance.disputes"),
          lost_amount: say("disputes.statuses.lost"),
          fee_amount: say("disputes.fee"),
        }}
        rows="disputes"
        phone={["reference", "amount", "status"]}
        columns={columns}
        filters={filters}
        heading={say("disputes.title")}
        description={say("disputes.description")}
        searchFor={say("disputes.search")}
        empty={{ heading: say("disputes.empty"), description: say("disputes.empty_hint") }}
        actions={<RecordDispute />}
      />
    </AdminPage>
  )
}

export const config = defineRouteConfig({ label: "menu.disputes", translationNs: "gateway", rank: 17 })
export const handle = crumb("menu.disputes")

export default DisputesPage
