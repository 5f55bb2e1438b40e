import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../format"
import { Amount } from "../table/parts"
import { AdminTable } from "../table/admin-table"
import { declineWords } from "../payments/parts"
import { Copied } from "../ui/bits"
import { useText } from "../text"
import { type BillingRecord, RecordBadge } from "./parts"
import { Link } from "../ui/page-links"

const column = createDataTableColumnHelper<BillingRecord>()

const Paid = ({ transaction_id, error_code }: BillingRecord) => {
  const say = useText()
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      {transaction_id === null ? (
        "–"
      ) : (
        <Link
          to={`/gateway/payments/${transaction_id}`}
          className="text-ui-fg-interactive"
          otherwise={<Copied text={transaction_id} />}
        >
          {say("subscriptions.open_payment")}
        </Link>
      )}
      {error_code !== null && (
        <span className="txt-compact-xsmall text-ui-fg-subtle">{declineWords(say, { code: error_code })}</span>
      )}
    </span>
  )
}

/** Every period of a subscription that was tried or paid. */
export const BillingHistory = ({ subscription_id }: { subscription_id: string }) => {
  const say = useText()
  const { date, number } = useFormats()
  const columns = useMemo(
    () => [
      column.accessor("billing_date", {
        header: say("subscriptions.billed"),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{date(getValue())}</span>,
      }),
      column.accessor("period_start", {
        header: say("subscriptions.of_period"),
        cell: ({ row: { original } }) => (
          <span className="whitespace-nowrap">{`${date(original.period_start)} – ${date(original.period_end)}`}</span>
        ),
      }),
      column.accessor("status", {
        header: say("subscriptions.status"),
        cell: ({ getValue }) => <RecordBadge status={getValue()} />,
      }),
      column.accessor("amount", {
        header: say("subscriptions.amount"),
        align: "right",
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.accessor("attempts", {
        header: say("subscriptions.attempts"),
        align: "right",
        cell: ({ getValue }) => number(getValue()),
      }),
      column.accessor("transaction_id", {
        header: say("subscriptions.payment"),
        cell: ({ row }) => <Paid {...row.original} />,
      }),
    ],
    [say, date, number]
  )
  return (
    <AdminTable<BillingRecord>
      level="h2"
      prefix="history_"
      path={`/subscriptions/${subscription_id}/billing-history`}
      rows="billing_records"
      phone={["billing_date", "amount", "status"]}
      columns={columns}
      heading={say("subscriptions.history")}
      description={say("subscriptions.history_hint")}
      empty={{ heading: say("subscriptions.history_empty"), description: say("subscriptions.history_empty_hint") }}
    />
  )
}
