import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { Button, Container, Heading, Text } from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"
import { Link } from "react-router-dom"
import { useFormats } from "../lib/format"
import { request, type AdminError } from "../lib/http"
import { PaymentBadge } from "../lib/payments/parts"
import { Timeline } from "../lib/payments/timeline"
import type { PaymentTimeline } from "../lib/payments/types"
import { OrderRefunds } from "../lib/refunds/parts"
import { useLocale, useText } from "../lib/text"
import { ErrorState, Loading } from "../lib/ui/section"

/** On an order's page: its payments, its refunds, and the timeline of each. */
const OrderPayments = ({ data: order }: { data: { id: string; display_id?: number } }) => {
  const say = useText()
  const locale = useLocale()
  const { data, error, refetch } = useQuery<{ payments: PaymentTimeline[] }, AdminError>({
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
      {data?.payments.length === 0 && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {say("payments.widget.none")}
        </Text>
      )}
      {data !== undefined && data.payments.length > 0 && <OrderRefunds order_id={order.id} payments={data.payments} />}
      {data?.payments.map((payment) => (
        <OrderPayment key={payment.id} payment={payment} order_number={order.display_id ?? null} />
      ))}
    </Container>
  )
}

type PaymentProps = { payment: PaymentTimeline; order_number: number | null }

const OrderPayment = ({ payment, order_number }: PaymentProps) => {
  const say = useText()
  const { money } = useFormats()
  const { id, merchant_id, environment } = payment
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2 px-6 py-4">
        <div className="flex items-center gap-2">
          <Text weight="plus">{money(payment.amount, payment.currency)}</Text>
          <PaymentBadge {...payment} />
        </div>
        <Button size="small" variant="secondary" asChild>
          <Link to={`/gateway/payments/${id}?merchant_id=${merchant_id}&environment=${environment}`}>
            {say("payments.open_payment")}
          </Link>
        </Button>
      </div>
      <Timeline payment={payment} order_number={order_number} />
    </>
  )
}

export const config = defineWidgetConfig({ zone: "order.details.side.after", id: "gateway-order-payments" })

export default OrderPayments
