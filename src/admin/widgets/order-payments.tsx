import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { Button, Container, Heading, Text } from "@medusajs/ui"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { OwnerProvider } from "../lib/admin-api"
import { OrderCashState, type OrderCash } from "../lib/cash/parts"
import { DisputedBadges } from "../lib/disputes/parts"
import type { Dispute } from "../lib/disputes/types"
import { useFormats } from "../lib/format"
import { request, type AdminError } from "../lib/http"
import { MailTime } from "../lib/invoices/invoices"
import { OrderBalance } from "../lib/payments/order-balance"
import { PaymentBadge } from "../lib/payments/parts"
import { Timeline } from "../lib/payments/timeline"
import type { EmiInFull, PaymentTimeline } from "../lib/payments/types"
import type { SentReceipt } from "../lib/receipts/receipt"
import { OrderRefunds } from "../lib/refunds/parts"
import { REFUND_FORM } from "../lib/refunds/refund-payment"
import { useLocale, useMessage, useText, type PresentedMessage } from "../lib/text"
import { ErrorState, Loading } from "../lib/ui/section"
import { Link } from "../lib/ui/page-links"

type WidgetOrder = { id: string; display_id?: number; version?: number }
type OrderPaid = PaymentTimeline & {
  disputes: Dispute[] | null
  emi: EmiInFull | null
  receipts: SentReceipt[]
  /** Why nothing of it can be refunded now; null: it can. */
  refund_obstacle: PresentedMessage | null
}

/**
 * Fetches again what the gateway shows of an order whenever Medusa's page has another state of it, such as after a
 * refund of Medusa's own dialog. What Medusa fetches without a change is the same object.
 */
function useFollowed(order: WidgetOrder): void {
  const client = useQueryClient()
  const shown = useRef(order)
  useEffect(() => {
    if (shown.current !== order) {
      shown.current = order
      void client.invalidateQueries({ queryKey: ["gateway"] })
    }
  }, [client, order])
}

/** On the page of an order or of a draft order: its cash, what is outstanding of it, its payments, its refunds, and the timeline of each. */
const OrderPayments = ({ data: order }: { data: WidgetOrder }) => {
  const say = useText()
  const locale = useLocale()
  useFollowed(order)
  const { data, error, refetch } = useQuery<{ payments: OrderPaid[]; cash_order: OrderCash | null }, AdminError>({
    queryKey: ["gateway", "order-payments", order.id],
    queryFn: ({ signal }) => request(`/orders/${order.id}/payments`, { signal }),
    staleTime: 0,
  })
  // An order's page is also for those who have no right to payments.
  if (error?.status === 403) {
    return null
  }
  return (
    <Container className="divide-y p-0" lang={locale}>
      <div className="px-6 py-4">
        <Heading level="h2">{say("payments.widget.title")}</Heading>
      </div>
      {data === undefined &&
        (error === null ? <Loading lines={3} /> : <ErrorState error={error} retry={() => void refetch()} />)}
      {data?.payments.length === 0 && data.cash_order === null && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {say("payments.widget.none")}
        </Text>
      )}
      {data !== undefined && data.cash_order !== null && <OrderCashState cash={data.cash_order} />}
      {data !== undefined && <OrderBalance order_id={order.id} version={order.version} />}
      {data !== undefined && data.payments.length > 0 && <OrderRefunds order_id={order.id} payments={data.payments} />}
      {data?.payments.map((payment) => (
        <OwnerProvider key={payment.id} value={payment}>
          <OrderPayment payment={payment} order_number={order.display_id ?? null} />
        </OwnerProvider>
      ))}
    </Container>
  )
}

type PaymentProps = { payment: OrderPaid; order_number: number | null }

const OrderPayment = ({ payment, order_number }: PaymentProps) => {
  const say = useText()
  const { money } = useFormats()
  const words = useMessage()
  const { id, merchant_id, environment, status, emi, receipts, currency, refund_obstacle } = payment
  const page = `/gateway/payments/${id}?merchant_id=${merchant_id}&environment=${environment}`
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2 px-6 py-4">
        <div className="flex items-center gap-2">
          <Text weight="plus">{money(payment.amount, payment.currency)}</Text>
          <PaymentBadge {...payment} />
          <DisputedBadges payment={payment} />
        </div>
        <div className="flex flex-wrap gap-2">
          {status === "SUCCESS" && refund_obstacle === null && (
            <Button size="small" variant="secondary" asChild>
              <Link to={`${page}&opened=${REFUND_FORM}`}>{say("refunds.make")}</Link>
            </Button>
          )}
          <Button size="small" variant="secondary" asChild>
            <Link to={page}>{say("payments.open_payment")}</Link>
          </Button>
        </div>
      </div>
      {status === "SUCCESS" && refund_obstacle !== null && (
        <Text size="small" className="text-ui-fg-subtle break-words px-6 py-3">
          {words(refund_obstacle)}
        </Text>
      )}
      {emi !== null && (
        <Text size="small" className="px-6 py-3">
          {say("payments.emi.plan", { bank: emi.bank, count: emi.months })}
          {": "}
          {say("payments.emi.in_all", { amount: money(emi.total_with_fee, currency) })}
        </Text>
      )}
      {receipts.length > 0 && (
        <div className="txt-compact-small flex flex-wrap items-center justify-between gap-2 px-6 py-3">
          <span>{say("receipts.title")}</span>
          <MailTime mail={receipts[0]} />
        </div>
      )}
      <Timeline payment={payment} order_number={order_number} />
    </>
  )
}

export const config = defineWidgetConfig({
  zone: ["order.details.side.after", "draft_order.details.side.after"],
  id: "gateway-order-payments",
})

export default OrderPayments
