import type { OrderPayment } from "medusa-payment-gateway/storefront"
import { OrderCashFacts } from "../components/cash"
import { CheckIcon } from "../components/icons"
import { Notice, NoticeArea } from "../components/notice"
import { OrderInstalments } from "../components/emi"
import { paymentText } from "../components/orders"
import { saveFile } from "../components/save-file"
import { OrderRefunds } from "../components/refunds"
import { AddressText, ItemList, Totals } from "../components/summary"
import { h, type View } from "../lib/dom"
import { dateAndTime } from "../lib/format"
import { href, type Page, type ScreenRequest } from "../lib/router"
import { planOfOrder } from "../store/emi"
import { downloadReceipt, findOrder, paidOf, refundedOf, subscriptionOf, type FoundOrder } from "../store/orders"
import { refundsOfOrder } from "../store/refunds"
import { plansOfItems, type Plans } from "../store/plans"
import { t } from "../text"
import { notFoundScreen } from "./messages"

export async function orderScreen({ params }: ScreenRequest): Promise<Page> {
  const found = await findOrder(params.id ?? "")
  if (!found) {
    return notFoundScreen()
  }
  const { order, isOwner } = found
  // Optional on this page: without it the account shows the same.
  const plans = await plansOfItems(order.items).catch((): Plans => new Map())
  const [emi, refunds] = await Promise.all([planOfOrder(order.id), refundsOfOrder(order.id)])
  const number = order.display_id ?? order.id
  const address = isOwner ? order.shipping_address : null
  const cancelled = order.status === "canceled"
  const money = { paid: paidOf(order), refunded: refundedOf(order) }
  const isAllRefunded = money.refunded > 0 && money.refunded >= money.paid
  const isOver = cancelled || isAllRefunded
  const refunded = isAllRefunded ? "all" : money.refunded > 0 ? "some" : "none"
  const subscription = plans.size > 0 && isOwner && !isOver ? await subscriptionOf(order.id) : null
  return {
    title: t.order.pageTitle(number),
    content: (
      <div class="narrow" id="order" data-order-id={order.id}>
        <div class="centred">
          {!isOver && (
            <span class="seal">
              <CheckIcon />
            </span>
          )}
          <h1>{isOver ? t.order.pageTitle(number) : t.order.title(address?.first_name ?? "")}</h1>
          {cancelled && <Notice kind="info">{t.order.cancelled}</Notice>}
          {isAllRefunded && <Notice kind="info">{t.order.allRefunded}</Notice>}
          {!isOver && <p class="lead">{t.order.lead}</p>}
          {!isOver && <p class="order-number">{t.order.number(number)}</p>}
          <p class="muted small">{t.order.placed(dateAndTime(order.created_at))}</p>
        </div>
        {subscription && <SubscriptionNotice of={subscription} />}
        <div class="panel">
          <ItemList items={order.items} plans={plans} />
          <Totals of={order} withDelivery money={money} />
        </div>
        {emi && <OrderInstalments plan={emi} refunded={refunded} />}
        {refunds.length > 0 && <OrderRefunds refunds={refunds} />}
        <div class="panel facts">
          {address && (
            <div>
              <h2>{t.order.address}</h2>
              <AddressText address={address} />
            </div>
          )}
          <div>
            <h2>{t.order.delivery}</h2>
            <p>{order.shipping_methods?.map(({ name }) => name).join(", ")}</p>
          </div>
          <div>
            <h2>{t.order.payment}</h2>
            <PaymentFacts found={found} number={number} />
          </div>
        </div>
        <p class="centred">
          <a class="button button-quiet" href={href("/")}>
            {t.order.keepShopping}
          </a>
        </p>
      </div>
    ),
  }
}

function SubscriptionNotice({ of }: { of: "begun" | "renewed" }): View {
  const link = <a href={href("/account")}>{t.plan.seeIt}</a>
  return of === "begun" ? (
    <Notice kind="success" title={t.plan.begunTitle}>
      {t.plan.begun} {link}
    </Notice>
  ) : (
    <Notice kind="info">
      {t.plan.renewed} {link}
    </Notice>
  )
}

function PaymentFacts({ found, number }: { found: FoundOrder; number: number | string }): View {
  const { order, payment, cash } = found
  return (
    <div>
      {cash ? (
        <OrderCashFacts cash={cash} payment={payment} />
      ) : (
        <p>{[paymentText(order, found), payment?.method].filter(Boolean).join(" · ")}</p>
      )}
      {payment && <Receipt order={order.id} number={number} payment={payment} />}
    </div>
  )
}

type ReceiptProps = { order: string; number: number | string; payment: OrderPayment }

/** The receipt as a file, and where it was mailed. */
function Receipt({ order, number, payment }: ReceiptProps): View {
  const problem = <NoticeArea id="receipt-problem" />
  const save = (event: Event) =>
    void saveFile({
      button: event.currentTarget as HTMLButtonElement,
      problem: problem as HTMLElement,
      name: `receipt-${number}.pdf`,
      load: () => downloadReceipt(order),
    })
  return (
    <div id="receipt">
      {payment.mail && (
        <p class="muted small">
          {payment.mail.is_sent ? t.order.mailed(payment.mail.to) : t.order.willBeMailed(payment.mail.to)}
        </p>
      )}
      <button class="text-button" type="button" onClick={save}>
        {t.order.receipt}
      </button>
      {problem}
    </div>
  )
}
