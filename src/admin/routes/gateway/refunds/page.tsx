import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Button, createDataTableColumnHelper, Text } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../../../lib/format"
import { declineWords } from "../../../lib/payments/parts"
import { RefundDrawer } from "../../../lib/refunds/refund-drawer"
import { RefundBadge, RefundsFrame } from "../../../lib/refunds/parts"
import { type ListedRefund, REFUND_STATUSES, why } from "../../../lib/refunds/draft"
import { Amount, TwoLines, anyOf, byDate, byTime, oneOf, useToday, Opener } from "../../../lib/table/parts"
import { AdminTable } from "../../../lib/table/admin-table"
import { type Say, useMessage, useText } from "../../../lib/text"
import { Copied, crumb } from "../../../lib/ui/bits"
import { Link } from "../../../lib/ui/page-links"
import { useOpened } from "../../../lib/use"

const column = createDataTableColumnHelper<ListedRefund>()

/** Which order was paid. A verification is none: its id would say nothing to anybody. */
function orderText(say: Say, { order_number, payment_source }: ListedRefund): string | null {
  if (payment_source === "verification") {
    return say("payments.source_verification")
  }
  return order_number === null ? null : `${say("payments.order")} ${order_number}`
}

function useRefundColumns(open: (id: string) => void) {
  const say = useText()
  const words = useMessage()
  const { time } = useFormats()
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...byTime(say, say("payments.created")),
        cell: ({ row: { original } }) => <Opener onOpen={() => open(original.id)}>{time(original.created_at)}</Opener>,
      }),
      column.accessor("customer", {
        header: say("payments.customer"),
        cell: ({ row: { original } }) => (
          <TwoLines first={original.customer?.name ?? "–"} second={orderText(say, original)} />
        ),
      }),
      column.accessor("amount", {
        header: say("payments.amount"),
        align: "right",
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.accessor("status", {
        header: say("payments.status"),
        cell: ({ row: { original } }) => <RefundBadge {...original} />,
      }),
      column.accessor("type", {
        header: say("refunds.type"),
        cell: ({ getValue }) => say(`refunds.types.${getValue()}`),
      }),
      column.accessor("reason", {
        header: say("refunds.reason"),
        cell: ({ row: { original } }) => (
          <div className="max-w-80 py-2">
            <Text size="small" leading="compact" className="truncate">
              {why(words, original)}
            </Text>
            {original.error_code !== null && (
              <Text size="xsmall" className="text-ui-fg-error truncate">
                {declineWords(say, { code: original.error_code, said: original.error_message })}
              </Text>
            )}
          </div>
        ),
      }),
      column.accessor("transaction_id", {
        header: say("payments.one"),
        cell: ({ getValue }) => (
          <Link
            to={`/gateway/payments/${getValue()}`}
            className="text-ui-fg-interactive whitespace-nowrap"
            otherwise={<Copied text={getValue()} />}
          >
            {say("payments.open_payment")}
          </Link>
        ),
      }),
    ],
    [say, words, time, open]
  )
}

const Refunds = () => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const [opened, open] = useOpened()
  const columns = useRefundColumns(open)
  const filters = useMemo(() => {
    const status = REFUND_STATUSES.map((value) => ({ value, label: say(`refunds.statuses.${value}`) }))
    const type = (["full", "partial"] as const).map((value) => ({ value, label: say(`refunds.types.${value}`) }))
    const held = (["approval", "batch"] as const).map((value) => ({ value, label: say(`refunds.held_${value}`) }))
    return [
      anyOf("status", say("payments.status"), status),
      oneOf("type", say("refunds.type"), type),
      oneOf("held_for", say("refunds.held_for"), held),
      oneOf("attention", say("payments.attention"), [
        { value: "unresolved", label: say("payments.attentions.unresolved") },
        { value: "failed", label: say("overview.attention.failed_refunds") },
      ]),
      byDate(say, formats, today),
    ]
  }, [say, formats, today])
  return (
    <>
      <AdminTable<ListedRefund>
        path="/refunds"
        totals={{ amount: say("payments.refunded"), waiting_amount: say("payments.waiting") }}
        rows="refunds"
        phone={["customer", "amount", "status", "created_at"]}
        columns={columns}
        filters={filters}
        heading={say("payments.refunds")}
        description={say("refunds.description")}
        searchFor={say("refunds.search")}
        empty={{ heading: say("refunds.empty"), description: say("refunds.empty_hint") }}
        actions={
          <Button size="small" variant="secondary" asChild>
            <Link to="/gateway/refunds/batch">{say("refunds.batch.open")}</Link>
          </Button>
        }
      />
      <RefundDrawer id={opened} onClose={() => open(null)} />
    </>
  )
}

const RefundsPage = () => (
  <RefundsFrame>
    <Refunds />
  </RefundsFrame>
)

export const config = defineRouteConfig({ label: "menu.refunds", translationNs: "gateway", rank: 15 })
export const handle = crumb("menu.refunds")

export default RefundsPage
