import { SavedMethods } from "../components/saved-methods"
import { NoticeArea, isBusy, showProblem, whileBusy } from "../components/notice"
import { StatusMark, instrumentText, nextPaymentText, priceText, titleOf } from "../components/subscription"
import { h, type View } from "../lib/dom"
import { describeError, isSignedOut } from "../lib/errors"
import { Redirect, href, navigate, replace, type Page, type ScreenRequest } from "../lib/router"
import { asCustomer, loadCustomer, signInPath, signOut } from "../store/account"
import { wait } from "../lib/wait"
import { listPaymentMethods } from "../store/payment-methods"
import { openPortal } from "../store/portal"
import { listSubscriptions, type Subscription } from "../store/subscriptions"
import { t } from "../text"

const HERE = "/account"
const LEAVING_MS = 15_000

/** The signed-in shopper's subscriptions. */
export async function accountScreen({ signal }: ScreenRequest): Promise<Page> {
  const [customer, { subscriptions, count }, saved] = await asCustomer(HERE, () =>
    Promise.all([loadCustomer(), listSubscriptions(), listPaymentMethods()])
  )
  if (!customer) {
    throw new Redirect(signInPath(HERE, "expired"))
  }
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(" ")
  const list = (
    <ul class="subscriptions">
      {subscriptions.map((one) => (
        <SubscriptionCard subscription={one} />
      ))}
    </ul>
  )
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
        <h2 class="section-title">{t.account.subscriptions}</h2>
        {count === 0 ? <NoSubscriptions /> : list}
        {count > subscriptions.length && <ShowMore list={list} count={count} />}
        {count > 0 && <PortalLink signal={signal} />}
        <SavedMethods methods={saved} />
      </div>
    ),
  }
}

function leave(): void {
  signOut()
  navigate("/")
}

function NoSubscriptions(): View {
  return (
    <div class="empty">
      <p class="lead">{t.account.none}</p>
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

function ShowMore({ list, count }: { list: View; count: number }): View {
  const problem = <NoticeArea id="more-problem" />
  const button = (
    <button class="button button-quiet" type="button" onClick={showMore}>
      {t.account.more}
    </button>
  ) as HTMLButtonElement

  async function showMore() {
    if (isBusy(button)) {
      return
    }
    problem.replaceChildren()
    try {
      const { subscriptions } = await whileBusy(button, t.loading, () => listSubscriptions(list.children.length))
      const first = subscriptions.map((one) => list.appendChild(<SubscriptionCard subscription={one} />))[0]
      first?.querySelector("a")?.focus()
      if (subscriptions.length === 0 || list.children.length >= count) {
        button.remove()
      }
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
