import { createDataTableColumnHelper, Text } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../format"
import type { Query } from "../http"
import { AdminTable } from "../table/admin-table"
import { Amount, byDate, byTime, oneOf, TwoLines, useToday } from "../table/parts"
import { useText } from "../text"
import { LineState, useSourceName, useSources } from "./parts"
import { LINE_STATUSES, REASONS, settles, type Line } from "./types"
import { Link } from "../ui/page-links"

const column = createDataTableColumnHelper<Line>()

function useLineColumns() {
  const say = useText()
  const { fileTime } = useFormats()
  return useMemo(
    () => [
      column.accessor("occurred_at", {
        ...byTime(say, say("settlements.occurred")),
        cell: ({ row: { original } }) => (
          <Link to={`/gateway/settlements/lines/${original.id}`} className="text-ui-fg-interactive whitespace-nowrap">
            {fileTime(original.occurred_at)}
          </Link>
        ),
      }),
      column.accessor("reference", {
        header: say("settlements.numbers"),
        cell: ({ row: { original } }) => <Numbers line={original} />,
      }),
      column.accessor("kind", {
        header: say("settlements.kind"),
        cell: ({ getValue }) => say(`settlements.kinds.${getValue()}`),
      }),
      column.accessor("gross", {
        header: say("settlements.gross"),
        align: "right",
        cell: ({ row: { original } }) => <Amount amount={original.gross} currency={original.currency} />,
      }),
      column.accessor("fee", {
        header: say("settlements.fee"),
        align: "right",
        cell: ({ row: { original } }) => <Amount amount={original.fee} currency={original.currency} />,
      }),
      column.accessor("net", {
        header: say("settlements.net"),
        align: "right",
        cell: ({ row: { original } }) => <Amount amount={original.net} currency={original.currency} />,
      }),
      column.accessor("status", {
        header: say("payments.status"),
        cell: ({ row: { original } }) => <LineState {...original} />,
      }),
    ],
    [say, fileTime]
  )
}

/** The acquirer's number and ours, as the file has them; without one its words. */
const Numbers = ({ line: { reference, order_reference, description } }: { line: Line }) => {
  const [first = null, second = null] = [reference, order_reference].filter((number) => number !== null)
  const shown = (number: string | null) => number && <code className="break-all font-mono">{number}</code>
  return <TwoLines first={shown(first) ?? description ?? "–"} second={shown(second)} />
}

function useLineFilters() {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const sources = useSources()
  const name = useSourceName()
  return useMemo(
    () => [
      oneOf(
        "status",
        say("payments.status"),
        LINE_STATUSES.map((value) => ({ value, label: say(`settlements.statuses.${value}`) }))
      ),
      oneOf(
        "reason",
        say("settlements.reason"),
        REASONS.map((value) => ({ value, label: say(`settlements.reasons.${value}`) }))
      ),
      oneOf(
        "source",
        say("settlements.source"),
        sources.map(({ source }) => ({ value: source, label: name(source) }))
      ),
      byDate(say, formats, today),
    ],
    [say, formats, today, sources, name]
  )
}

type Props = { heading: string; description: string; level?: "h1" | "h2"; fixed?: Query; prefix?: string }

/** Lines of settlements; `fixed`: those of one file. */
export const LineTable = ({ heading, description, level, fixed, prefix }: Props) => {
  const say = useText()
  const columns = useLineColumns()
  const filters = useLineFilters()
  return (
    <AdminTable<Line>
      path="/settlements/lines"
      rows="lines"
      columns={columns}
      filters={filters}
      fixed={fixed}
      level={level}
      prefix={prefix}
      heading={heading}
      description={description}
      phone={["reference", "gross", "status", "occurred_at"]}
      totals={{
        gross: say("settlements.gross"),
        fee: say("settlements.fee"),
        vat: say("settlements.vat"),
        net: say("settlements.net"),
      }}
      searchFor={say("settlements.search")}
      empty={{ heading: say("settlements.lines_empty"), description: say("settlements.lines_empty_hint") }}
    />
  )
}

export const LineHint = ({
  line: { status, reasons, source },
}: {
  line: Pick<Line, "status" | "reasons" | "source">
}) => {
  const say = useText()
  const own = [
    say(`settlements.status_hints.${status}`),
    ...reasons.map((one) => say(`settlements.reason_hints.${one}`)),
  ]
  // A bank's line is no payment: it brings settlements.
  const hints = status === "unknown" && !settles(source) ? [say("settlements.deposit.unknown")] : own
  return (
    <ul className="flex list-disc flex-col gap-1 px-6 py-4 pl-10">
      {hints.map((hint) => (
        <li key={hint}>
          <Text size="small">{hint}</Text>
        </li>
      ))}
    </ul>
  )
}
