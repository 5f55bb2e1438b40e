import { defineRouteConfig } from "@medusajs/admin-sdk"
import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { Link } from "react-router-dom"
import { useFormats } from "../../../lib/format"
import { OrderLink } from "../../../lib/payments/order-link"
import { PaymentBadge, serviceName } from "../../../lib/payments/parts"
import { ATTENTIONS, SERVICES, STATUSES, type Payment } from "../../../lib/payments/types"
import { Amount, byAmount, byTime, TwoLines } from "../../../lib/table/columns"
import { AdminTable } from "../../../lib/table/admin-table"
import { anyOf, byDate } from "../../../lib/table/filters"
import { useText } from "../../../lib/text"
import { crumb } from "../../../lib/ui/crumb"
import { AdminPage } from "../../../lib/ui/admin-page"

const column = createDataTableColumnHelper<Payment>()

function usePaymentColumns() {
  const say = useText()
  const { time } = useFormats()
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...byTime(say, say("payments.created")),
        cell: ({ row: { original } }) => (
          <Link to={`/gateway/payments/${original.id}`} className="text-ui-fg-interactive whitespace-nowrap">
            {time(original.created_at)}
          </Link>
        ),
      }),
      column.accessor("order_id", {
        header: say("payments.order"),
        cell: ({ row: { original } }) => (
          <TwoLines first={<span className="font-mono">{original.order_id}</span>} second={original.customer.email} />
        ),
      }),
      column.accessor("status", {
        header: say("payments.status"),
        cell: ({ row: { original } }) => <PaymentBadge {...original} />,
      }),
      column.accessor("amount", {
        ...byAmount(say, say("payments.amount")),
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.accessor("payment_service", {
        header: say("payments.method"),
        cell: ({ getValue }) => serviceName(say, getValue()),
      }),
      column.accessor("medusa_order_id", {
        header: say("payments.store_order"),
        cell: ({ row: { original } }) => (
          <OrderLink id={original.medusa_order_id} number={original.medusa_order_number} />
        ),
      }),
    ],
    [say, time]
  )
}

const PaymentsPage = () => {
  const say = useText()
  const formats = useFormats()
  const columns = usePaymentColumns()
  const filters = useMemo(
    () => [
      anyOf(
        "status",
        say("payments.status"),
        STATUSES.map((value) => ({ value, label: say(`payments.statuses.${value}`) }))
      ),
      anyOf(
        "service",
        say("payments.method"),
        SERVICES.map((value) => ({ value, label: say(`payments.services.${value}`) }))
      ),
      anyOf("paid_twice", say("payments.paid_twice"), [{ value: "open", label: say("payments.paid_twice_open") }]),
      anyOf(
        "attention",
        say("payments.attention"),
        ATTENTIONS.map((value) => ({ value, label: say(`payments.attentions.${value}`) }))
      ),
      byDate(say, formats),
    ],
    [say, formats]
  )
  return (
    <AdminPage>
      <AdminTable<Payment>
        path="/payments"
        totals={{
          amount: say("payments.amount"),
          charge_amount: say("payments.fee"),
          refunded_amount: say("payments.refunded"),
        }}
        rows="payments"
        columns={columns}
        filters={filters}
        heading={say("payments.title")}
        description={say("payments.description")}
        searchFor={say("payments.search")}
        empty={{ heading: say("payments.empty"), description: say("payments.empty_hint") }}
      />
    </AdminPage>
  )
}

export const config = defineRouteConfig({ label: "menu.payments", translationNs: "gateway", rank: 10 })
export const handle = crumb("menu.payments")

export default PaymentsPage
