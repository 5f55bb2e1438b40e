import { defineRouteConfig } from "@medusajs/admin-sdk"
import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../../../lib/format"
import { OrderLink, PaymentBadge, declineWords, serviceName } from "../../../lib/payments/parts"
import { ATTENTIONS, SERVICES, STATUSES, type Payment } from "../../../lib/payments/types"
import {
  Amount,
  FITTED,
  NAMED,
  TwoLines,
  WHEN,
  anyOf,
  byAmount,
  byDate,
  byTime,
  useToday,
} from "../../../lib/table/parts"
import { AdminTable } from "../../../lib/table/admin-table"
import { useText } from "../../../lib/text"
import { crumb } from "../../../lib/ui/bits"
import { AdminPage } from "../../../lib/ui/admin-page"
import { Link } from "../../../lib/ui/page-links"

const column = createDataTableColumnHelper<Payment>()

function usePaymentColumns() {
  const say = useText()
  const { time } = useFormats()
  return useMemo(
    () => [
      column.accessor("created_at", {
        ...byTime(say, say("payments.created")),
        cell: ({ row: { original } }) => (
          <Link to={`/gateway/payments/${original.id}`} className={`text-ui-fg-interactive ${WHEN}`}>
            {time(original.created_at)}
          </Link>
        ),
      }),
      column.accessor("order_number", {
        header: say("payments.order"),
        // A verification is no order: its id would say nothing to anybody.
        cell: ({ row: { original } }) =>
          original.source === "verification" ? (
            <div className={NAMED}>{say("payments.source_verification")}</div>
          ) : (
            <div className={`font-mono ${NAMED}`}>{original.order_number}</div>
          ),
      }),
      column.accessor("customer", {
        header: say("payments.customer"),
        cell: ({ getValue }) => <TwoLines first={getValue().name} second={getValue().email} />,
      }),
      column.accessor("status", {
        header: say("payments.status"),
        cell: ({ row: { original } }) => <StatusCell payment={original} />,
      }),
      column.accessor("amount", {
        ...byAmount(say, say("payments.amount")),
        cell: ({ row: { original } }) => <AmountCell payment={original} />,
      }),
      column.accessor("payment_service", {
        header: say("payments.method"),
        cell: ({ row: { original } }) => (
          <TwoLines
            className={NAMED}
            first={serviceName(say, original.payment_service)}
            second={original.emi && say("payments.emi.plan", { bank: original.emi.bank, count: original.emi.months })}
          />
        ),
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

/** With the reason of the last attempt, also while the shopper may try again; and until when money is reserved. */
const StatusCell = ({ payment }: { payment: Payment }) => {
  const say = useText()
  const { time } = useFormats()
  if (payment.authorized && payment.capture_before !== null) {
    const until = say("captures.until_time", { time: time(payment.capture_before) })
    return <TwoLines first={<PaymentBadge {...payment} />} second={until} />
  }
  const shown = payment.status === "FAILED" || payment.status === "PENDING" ? payment.decline : null
  return <TwoLines first={<PaymentBadge {...payment} />} second={shown && declineWords(say, shown)} />
}

const AmountCell = ({ payment: { amount, currency, emi, authorized_amount: reserved } }: { payment: Payment }) => {
  const say = useText()
  const { money } = useFormats()
  const isPart = reserved !== null && reserved !== amount
  return (
    <TwoLines
      className={`${FITTED} text-right`}
      first={<Amount amount={amount} currency={currency} />}
      second={
        isPart
          ? say("captures.of_reserved", { amount: money(reserved, currency) })
          : emi && say("payments.emi.in_all", { amount: money(emi.total_with_fee, currency) })
      }
    />
  )
}

const PaymentsPage = () => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
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
      byDate(say, formats, today),
    ],
    [say, formats, today]
  )
  return (
    <AdminPage>
      <AdminTable<Payment>
        path="/payments"
        totals={{
          amount: say("payments.succeeded"),
          charge_amount: say("payments.fee"),
          refunded_amount: say("payments.refunded"),
        }}
        rows="payments"
        phone={["customer", "amount", "status", "created_at"]}
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
