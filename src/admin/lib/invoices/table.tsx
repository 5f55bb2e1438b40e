import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { Link } from "react-router-dom"
import { useFormats } from "../format"
import type { Query } from "../http"
import { Amount, byTime, TwoLines } from "../table/columns"
import { AdminTable } from "../table/admin-table"
import { anyOf, byDate } from "../table/filters"
import { useToday } from "../table/today"
import { useText } from "../text"
import { InvoiceBadge } from "./parts"
import { INVOICE_STATUSES, type Invoice } from "./types"

const column = createDataTableColumnHelper<Invoice>()

function useColumns() {
  const say = useText()
  const { date } = useFormats()
  return useMemo(
    () => [
      column.accessor("invoice_id", {
        header: say("invoices.number"),
        cell: ({ row: { original } }) => (
          <Link to={`/gateway/invoices/${original.id}`} className="text-ui-fg-interactive whitespace-nowrap font-mono">
            {original.invoice_id}
          </Link>
        ),
      }),
      column.accessor("customer", {
        header: say("invoices.customer"),
        cell: ({
          row: {
            original: { customer },
          },
        }) => <TwoLines first={customer.name} second={customer.email} />,
      }),
      column.accessor("status", {
        header: say("invoices.status"),
        cell: ({ getValue }) => <InvoiceBadge status={getValue()} />,
      }),
      column.accessor("amount", {
        header: say("invoices.amount"),
        align: "right",
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.accessor("due_date", {
        header: say("invoices.due"),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{date(getValue())}</span>,
      }),
      column.accessor("created_at", {
        ...byTime(say, say("invoices.created")),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{date(getValue())}</span>,
      }),
    ],
    [say, date]
  )
}

/** Invoices: all with search and filters, or those of one subscription. */
export const InvoiceTable = ({ fixed }: { fixed?: Query }) => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const columns = useColumns()
  const filters = useMemo(
    () => [
      anyOf(
        "status",
        say("invoices.status"),
        INVOICE_STATUSES.map((value) => ({ value, label: say(`invoices.statuses.${value}`) }))
      ),
      byDate(say, formats, today),
    ],
    [say, formats, today]
  )
  const whole = fixed === undefined
  return (
    <AdminTable<Invoice>
      level={whole ? "h1" : "h2"}
      path="/invoices"
      totals={{ amount: say("payments.amount") }}
      rows="invoices"
      phone={["customer", "amount", "status", "invoice_id"]}
      columns={columns}
      filters={whole ? filters : undefined}
      fixed={fixed}
      prefix={whole ? undefined : "invoices_"}
      heading={say("invoices.title")}
      description={say("invoices.description")}
      searchFor={whole ? say("invoices.search") : undefined}
      empty={{ heading: say("invoices.empty"), description: say("invoices.empty_hint") }}
    />
  )
}
