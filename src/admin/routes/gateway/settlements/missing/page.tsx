import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../../../../lib/format"
import { serviceName } from "../../../../lib/payments/parts"
import { PartOf, SettlementPage, SourceChoice, useSources } from "../../../../lib/settlements/parts"
import { isAcquirer, type Missing } from "../../../../lib/settlements/types"
import { AdminTable } from "../../../../lib/table/admin-table"
import { Amount, byDate, TwoLines, useToday } from "../../../../lib/table/parts"
import { useAddressFilter } from "../../../../lib/table/url-state"
import { useText } from "../../../../lib/text"
import { ChoiceField } from "../../../../lib/ui/fields"
import { crumb } from "../../../../lib/ui/bits"
import { Link } from "../../../../lib/ui/page-links"

const column = createDataTableColumnHelper<Missing>()
const DAYS = ["1", "3", "5", "7", "14", "30"] as const
const USUAL = "5"

function useMissingColumns() {
  const say = useText()
  const { time, number } = useFormats()
  return useMemo(
    () => [
      column.accessor("finished_at", {
        header: say("settlements.missing.paid_at"),
        cell: ({ row: { original } }) => (
          <Link
            to={`/gateway/payments/${original.transaction_id}`}
            className="text-ui-fg-interactive whitespace-nowrap"
          >
            {time(original.finished_at)}
          </Link>
        ),
      }),
      column.accessor("days", {
        header: say("settlements.missing.waiting"),
        cell: ({ getValue }) => say("settlements.missing.days", { count: getValue(), number: number(getValue()) }),
      }),
      column.accessor("amount", {
        header: say("payments.amount"),
        align: "right",
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.accessor("payment_service", {
        header: say("payments.method"),
        cell: ({ getValue }) => serviceName(say, getValue()),
      }),
      column.accessor("acquirer_reference", {
        header: say("settlements.numbers"),
        cell: ({ row: { original } }) => (
          <TwoLines
            first={<code className="break-all font-mono">{original.acquirer_reference}</code>}
            second={<code className="break-all font-mono">{original.order_id}</code>}
          />
        ),
      }),
    ],
    [say, time, number]
  )
}

const MissingPayments = () => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const columns = useMissingColumns()
  const [source, setSource] = useAddressFilter("source")
  const [days, setDays] = useAddressFilter("days")
  const [month, setMonth] = useAddressFilter("month")
  const [first] = useSources().filter((one) => isAcquirer(one.source))
  const filters = useMemo(() => [byDate(say, formats, today)], [say, formats, today])
  const chosen = source ?? first?.source
  if (chosen === undefined) {
    return null
  }
  return (
    <>
      {month !== null && (
        <PartOf
          text={say("settlements.of_month", { month: formats.month(`${month}-01`) })}
          onAll={() => setMonth(null)}
        />
      )}
      <AdminTable<Missing>
        path="/settlements/missing"
        rows="missing"
        columns={columns}
        filters={filters}
        fixed={{ source: chosen, days: days ?? USUAL, month: month ?? undefined }}
        phone={["finished_at", "amount", "payment_service", "days"]}
        totals={{ amount: say("payments.amount") }}
        heading={say("settlements.missing.title")}
        description={say("settlements.missing.description")}
        empty={{ heading: say("settlements.missing.empty"), description: say("settlements.missing.empty_hint") }}
        field={
          <div className="grid grid-cols-2 gap-2">
            <SourceChoice value={chosen} onChange={setSource} fits={isAcquirer} />
            <ChoiceField
              label={say("settlements.missing.older")}
              value={days ?? USUAL}
              options={[...new Set([...DAYS, days ?? USUAL])].map((value) => ({
                value,
                label: say("settlements.missing.days", { count: Number(value), number: formats.number(Number(value)) }),
              }))}
              onChange={setDays}
            />
          </div>
        }
      />
    </>
  )
}

const MissingPage = () => (
  <SettlementPage>
    <MissingPayments />
  </SettlementPage>
)

export const handle = crumb("settlements.tabs.missing")

export default MissingPage
