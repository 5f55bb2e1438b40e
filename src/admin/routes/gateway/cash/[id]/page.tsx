import { Button } from "@medusajs/ui"
import { useParams } from "react-router-dom"
import {
  CashBadge,
  Collections,
  isOpen,
  NotOnOrder,
  orderName,
  useCashSums,
  type CashOrderInFull,
} from "../../../../lib/cash/parts"
import { DecideStuck, EndOrder, RecordCash } from "../../../../lib/cash/record"
import { useAdminQuery } from "../../../../lib/data"
import { useText } from "../../../../lib/text"
import { AdminPage } from "../../../../lib/ui/admin-page"
import { Copied, Moment, crumb } from "../../../../lib/ui/bits"
import { NotThere } from "../../../../lib/ui/missing"
import { Link } from "../../../../lib/ui/page-links"
import { Facts, NotRefreshed, Section } from "../../../../lib/ui/section"

const CashOrderDetails = () => {
  const say = useText()
  const { id = "" } = useParams()
  const { data, error, refetch } = useAdminQuery<{ cash_order: CashOrderInFull }>(
    `/cash-orders/${encodeURIComponent(id)}`
  )
  if (data === undefined) {
    return (
      <NotThere
        error={error}
        retry={() => void refetch()}
        title={say("cash.missing")}
        text={say("cash.missing_hint")}
        back={say("cash.back")}
        to="/gateway/cash"
      />
    )
  }
  const { cash_order: order } = data
  return (
    <>
      <NotRefreshed error={error} retry={() => void refetch()} />
      <Summary order={order} />
      <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-2">
        <Collections order={order} />
        <Details order={order} />
      </div>
    </>
  )
}

const Summary = ({ order }: { order: CashOrderInFull }) => {
  const say = useText()
  const sums = useCashSums()
  const { order_id, transaction_id, advance, status, advance_back, return_id } = order
  const hasAdvance = status === "refused" && Number(advance) > 0
  return (
    <Section
      level="h1"
      heading={`${say("cash.one")} ${orderName(order)}`}
      actions={
        <>
          <CashBadge {...order} />
          {order_id !== null && (
            <Button size="small" variant="secondary" asChild>
              <Link to={`/orders/${order_id}`}>{say("payments.open_order")}</Link>
            </Button>
          )}
          {isOpen(order) && (
            <>
              <EndOrder order={order} />
              <RecordCash order={order} />
            </>
          )}
        </>
      }
    >
      <Facts
        rows={[
          ...sums(order),
          ...(hasAdvance
            ? [[say("cash.advance"), say(advance_back ? "cash.advance_back" : "cash.advance_kept")] as const]
            : []),
          ...(return_id === null ? [] : [[say("cash.goods"), say("cash.goods_return")] as const]),
          ...(transaction_id !== null && Number(advance) > 0
            ? [
                [
                  say("payments.one"),
                  <Link key="p" to={`/gateway/payments/${transaction_id}`} className="text-ui-fg-interactive">
                    {say("payments.open_payment")}
                  </Link>,
                ] as const,
              ]
            : []),
        ]}
      />
      <DecideStuck order={order} />
      <NotOnOrder order={order} />
    </Section>
  )
}

const Details = ({ order }: { order: CashOrderInFull }) => {
  const say = useText()
  return (
    <Section heading={say("payments.details")}>
      <Facts
        rows={[
          [say("payments.customer"), order.customer_name],
          [say("cash.phone"), order.phone],
          [say("cash.district"), order.district],
          [say("cash.placed"), <Moment key="p" at={order.placed_at} />],
          [say("cash.closed"), <Moment key="c" at={order.closed_at} />],
          [say("cash.id"), <Copied key="i" text={order.id} />],
        ]}
      />
    </Section>
  )
}

const CashOrderPage = () => (
  <AdminPage>
    <CashOrderDetails />
  </AdminPage>
)

export const handle = crumb("cash.one")

export default CashOrderPage
