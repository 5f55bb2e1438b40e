import { Notice } from "../components/notice"
import { AddressText } from "../components/summary"
import {
  StatusMark,
  endText,
  instrumentText,
  nextPaymentText,
  nextPlanText,
  priceText,
  titleOf,
} from "../components/subscription"
import { fill, h, type View } from "../lib/dom"
import { href, type Page, type ScreenRequest } from "../lib/router"
import { asCustomer } from "../store/account"
import { findSubscription, listInvoices, listOtherPlans, type Subscription } from "../store/subscriptions"
import { t } from "../text"
import { InvoiceList } from "./invoices"
import { notFoundScreen } from "./messages"
import { SubscriptionActions } from "./subscription-actions"

export const subscriptionPath = (id: string): string => `/account/subscriptions/${encodeURIComponent(id)}`

/** One subscription: its state, its actions, its invoices. `?payment=` is the outcome of replacing a card. */
export async function subscriptionScreen({ params, query, signal }: ScreenRequest): Promise<Page> {
  const id = params.id ?? ""
  const load = () => asCustomer(subscriptionPath(id), () => findSubscription(id))
  const subscription = await load()
  if (!subscription) {
    return notFoundScreen()
  }
  const [invoices, plans] = await asCustomer(subscriptionPath(id), () =>
    Promise.all([listInvoices(id), listOtherPlans(id)])
  )
  const status = (
    <div id="status" role="status" tabindex="-1">
      {returnedNotice(query.get("payment"), subscription)}
    </div>
  )
  const state = <div />
  const actions = <div />
  const paper = (
    <section class="invoices">
      <InvoiceList subscription={id} zone={subscription.time_zone} first={invoices} />
    </section>
  )

  /** After a change: announces it and moves the focus there, because the pressed button may be gone. */
  function changed(next: Subscription, message: string, kind: "success" | "info" = "success"): void {
    show(next)
    fill(status, <Notice kind={kind}>{message}</Notice>)
    status.focus()
    // A change may void an invoice or create one; when the list cannot be loaded, the shown one stays.
    void listInvoices(id).then(
      (latest) => fill(paper, <InvoiceList subscription={id} zone={next.time_zone} first={latest} />),
      () => undefined
    )
  }

  function show(next: Subscription): void {
    fill(state, <Facts of={next} />)
    fill(
      actions,
      <SubscriptionActions subscription={next} plans={plans} onChange={changed} reload={load} signal={signal} />
    )
  }

  show(subscription)
  return {
    title: titleOf(subscription),
    content: (
      <div class="narrow">
        <p>
          <a href={href("/account")}>← {t.subscription.back}</a>
        </p>
        <h1>{titleOf(subscription)}</h1>
        {status}
        {state}
        {actions}
        {paper}
      </div>
    ),
  }
}

/** Only a text, because anybody can type an address: the store decides about the subscription's state. */
function returnedNotice(payment: string | null, subscription: Subscription): View | null {
  const words = t.subscription.returned
  switch (payment) {
    case "success":
      return subscription.instrument && <Notice kind="success">{words.success(instrumentText(subscription))}</Notice>
    case "failed":
      return <Notice kind="problem">{words.failed}</Notice>
    case "pending":
    case "cancelled":
    case "expired":
      return <Notice kind="info">{words[payment]}</Notice>
    default:
      return null
  }
}

function Facts({ of }: { of: Subscription }): View {
  return (
    <div class="panel">
      <p>
        <StatusMark of={of} />
      </p>
      <dl class="terms">
        <div>
          <dt>{t.subscription.price}</dt>
          <dd>{priceText(of)}</dd>
        </div>
        <div>
          <dt>{t.subscription.nextPayment}</dt>
          <dd id="next-payment">{nextPaymentText(of)}</dd>
        </div>
        {nextPlanText(of) && (
          <div>
            <dt>{t.subscription.nextPlan}</dt>
            <dd id="next-plan">{nextPlanText(of)}</dd>
          </div>
        )}
        {endText(of) && (
          <div>
            <dt>{t.subscription.end}</dt>
            <dd id="end">{endText(of)}</dd>
          </div>
        )}
        <div>
          <dt>{t.subscription.paidWith}</dt>
          <dd id="instrument">{instrumentText(of)}</dd>
        </div>
        {of.delivery_address && (
          <div>
            <dt>{t.order.address}</dt>
            <dd id="delivery-address">
              <AddressText address={of.delivery_address} />
              {of.status !== "CANCELLED" && of.status !== "EXPIRED" && (
                <a href={href(`${subscriptionPath(of.id)}/address`)}>{t.addresses.changeTitle}</a>
              )}
            </dd>
          </div>
        )}
        {of.order_id && (
          <div>
            <dt>{t.subscription.firstOrder}</dt>
            <dd>
              <a href={href(`/orders/${encodeURIComponent(of.order_id)}`)}>{t.subscription.seeOrder}</a>
            </dd>
          </div>
        )}
      </dl>
    </div>
  )
}
