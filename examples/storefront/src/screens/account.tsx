import { ShowMore } from "../components/more"
import { OrderCard } from "../components/orders"
import { SavedMethods } from "../components/saved-methods"
import { StatusMark, instrumentText, nextPaymentText, priceText, titleOf } from "../components/subscription"
import { NoticeArea, isBusy, showProblem, whileBusy } from "../components/notice"
import { h, type View } from "../lib/dom"
import { describeError, isSignedOut } from "../lib/errors"
import { Redirect, href, navigate, replace, type Page, type ScreenRequest } from "../lib/router"
import { wait } from "../lib/wait"
import { asCustomer, loadCustomer, signInPath, signOut } from "../store/account"
import { listAddresses } from "../store/addresses"
import { listOrders, type ListedOrder } from "../store/orders"
import { listPaymentMethods } from "../store/payment-methods"
import { openPortal } from "../store/portal"
import { listSubscriptions, type Subscription } from "../store/subscriptions"
import { t } from "../text"
import { AddressList } from "./addresses"

const HERE = "/account"
const LEAVING_MS = 15_000

/** The signed-in shopper's orders, subscriptions, addresses and payment methods. */
export async function accountScreen({ signal }: ScreenRequest): Promise<Page> {
  const [customer, placed, begun, addresses, saved] = await asCustomer(HERE, () =>
    Promise.all([loadCustomer(), listOrders(), listSubscriptions(), listAddresses(), listPaymentMethods()])
  )
  if (!customer) {
    throw new Redirect(signInPath(HERE, "expired"))
  }
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(" ")
  return {
    title: t.account.title,
    content: (
      <div class="narrow">
        <h1>{t.account.title}</h1>
        <div class="panel panel-row account-owner">
          <p>
            <strong>{name}</strong>
            <span class="muted">{customer.email}</span>
          </p>
          <button class="text-button" type="button" onClick={leave}>
            {t.account.signOut}
          </button>
        </div>
        <OrderList {...placed} />
        <SubscriptionList {...begun} />
        {begun.count > 0 && <PortalLink signal={signal} />}
        <AddressList addresses={addresses} />
        <SavedMethods methods={saved} />
      </div>
    ),
  }
}

function leave(): void {
  signOut()
  navigate("/")
}

function OrderList({ orders, count }: { orders: ListedOrder[]; count: number }): View {
  const rows = (page: ListedOrder[]) => page.map((one) => <OrderCard order={one} />)
  const list = <ul class="subscriptions">{rows(orders)}</ul>
  const load = async (offset: number) => rows((await listOrders(offset)).orders)
  return (
    <section id="orders">
      <h2 class="section-title">{t.orders.title}</h2>
      {count === 0 ? <Nothing text={t.orders.none} /> : list}
      <ShowMore id="orders" here={HERE} list={list} count={count} load={load} />
    </section>
  )
}

function SubscriptionList({ subscriptions, count }: { subscriptions: Subscription[]; count: number }): View {
  const rows = (page: Subscription[]) => page.map((one) => <SubscriptionCard subscription={one} />)
  const list = <ul class="subscriptions">{rows(subscriptions)}</ul>
  const load = async (offset: number) => rows((await listSubscriptions(offset)).subscriptions)
  return (
    <section id="subscriptions">
      <h2 class="section-title">{t.account.subscriptions}</h2>
      {count === 0 ? <p class="muted">{t.account.none}</p> : list}
      <ShowMore id="subscriptions" here={HERE} list={list} count={count} load={load} />
    </section>
  )
}

function Nothing({ text }: { text: string }): View {
  return (
    <div class="empty">
      <p class="lead">{text}</p>
      <p>
        <a class="button" href={href("/")}>
          {t.account.browse}
        </a>
      </p>
    </div>
  )
}

function SubscriptionCard({ subscription }: { subscription: Subscription }): View {
  return (
    <li class="panel subscription">
      <p class="subscription-head">
        <a class="subscription-title" href={href(`/account/subscriptions/${encodeURIComponent(subscription.id)}`)}>
          {titleOf(subscription)}
        </a>
        <StatusMark of={subscription} />
      </p>
      <p>{priceText(subscription)}</p>
      <p class="muted small">
        {t.subscription.nextPayment}: {nextPaymentText(subscription)}
      </p>
      <p class="muted small">
        {t.subscription.paidWith}: {instrumentText(subscription)}
      </p>
    </li>
  )
}

/** To the gateway's own pages, where the invoices of all subscriptions are together. */
function PortalLink({ signal }: { signal: AbortSignal }): View {
  const problem = <NoticeArea id="portal-problem" />
  const button = (
    <button class="button button-quiet" id="portal" type="button" onClick={leaveForPortal}>
      {t.account.portal}
    </button>
  ) as HTMLButtonElement

  async function leaveForPortal() {
    if (isBusy(button)) {
      return
    }
    problem.replaceChildren()
    try {
      await whileBusy(button, t.account.portalOpening, async () => {
        location.assign(await openPortal())
        // The button stays busy while the browser leaves.
        await wait(LEAVING_MS, signal)
      })
    } catch (error) {
      if (isSignedOut(error)) {
        replace(signInPath(HERE, "expired"))
        return
      }
      showProblem(problem, describeError(error))
    }
  }

  return (
    <div class="more">
      {problem}
      {button}
    </div>
  )
}
