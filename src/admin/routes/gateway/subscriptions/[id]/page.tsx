import { Alert, Button, Text } from "@medusajs/ui"
import { useParams } from "react-router-dom"
import { useAdminQuery } from "../../../../lib/data"
import { SubscriptionDisputes } from "../../../../lib/disputes/parts"
import { useFormats } from "../../../../lib/format"
import { InvoiceTable } from "../../../../lib/invoices/invoices"
import { OrderLink, declineWords } from "../../../../lib/payments/parts"
import { everyText } from "../../../../lib/plans/parts"
import { SubscriptionActions } from "../../../../lib/subscriptions/actions"
import { Customer } from "../../../../lib/subscriptions/customer"
import { BillingHistory } from "../../../../lib/subscriptions/history"
import {
  SubscriptionBadge,
  type SubscriptionTimeline,
  endText,
  meansName,
  timesText,
  useReasonWords,
} from "../../../../lib/subscriptions/parts"
import { useText } from "../../../../lib/text"
import { Copied, Moment, crumb } from "../../../../lib/ui/bits"
import { NotThere } from "../../../../lib/ui/missing"
import { AdminPage } from "../../../../lib/ui/admin-page"
import { Link } from "../../../../lib/ui/page-links"
import { Facts, NotRefreshed, Section } from "../../../../lib/ui/section"
import { useUnderWay } from "../../../../lib/under-way"

type Props = { subscription: SubscriptionTimeline }

const SubscriptionDetails = () => {
  const say = useText()
  const { id = "" } = useParams()
  const { data, error, refetch } = useAdminQuery<{ subscription: SubscriptionTimeline }>(
    `/subscriptions/${encodeURIComponent(id)}`
  )
  useUnderWay(data?.subscription.payment_under_way === true ? "soon" : null, [], refetch)
  if (data === undefined) {
    const words = {
      title: say("subscriptions.one"),
      text: say("subscriptions.not_found"),
      back: say("subscriptions.back"),
    }
    return <NotThere error={error} retry={() => void refetch()} to="/gateway/subscriptions" {...words} />
  }
  const { subscription } = data
  return (
    <>
      <NotRefreshed error={error} retry={() => void refetch()} />
      <Summary subscription={subscription} />
      <SubscriptionDisputes subscription_id={subscription.id} />
      <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-2">
        <Details subscription={subscription} />
        <div className="flex flex-col gap-3">
          <Customer id={subscription.id} customer={subscription.customer} />
          <Events subscription={subscription} />
        </div>
      </div>
      <BillingHistory subscription_id={subscription.id} />
      <InvoiceTable fixed={{ subscription_id: subscription.id }} />
    </>
  )
}

const Summary = ({ subscription }: Props) => {
  const say = useText()
  const { money } = useFormats()
  const { status, amount, currency, number, payment_under_way, error_code } = subscription
  return (
    <Section
      level="h1"
      heading={`${money(amount, currency)} ${everyText(say, subscription)}`}
      description={say("subscriptions.number", { number: String(number) })}
      actions={
        <>
          <SubscriptionBadge status={status} />
          <SubscriptionActions subscription={subscription} />
        </>
      }
    >
      {(payment_under_way || (status === "PAST_DUE" && error_code !== null)) && (
        <div className="px-6 py-4">
          <Alert variant={payment_under_way ? "info" : "warning"}>
            <Text size="small">
              {payment_under_way
                ? say("subscriptions.being_confirmed")
                : say("subscriptions.last_error", { reason: declineWords(say, { code: error_code }) })}
            </Text>
          </Alert>
        </div>
      )}
    </Section>
  )
}

const PlanLink = ({ plan }: { plan: NonNullable<SubscriptionTimeline["plan"]> }) => (
  <Link to={`/gateway/plans/${plan.number}`} className="text-ui-fg-interactive">
    {plan.plan_name}
  </Link>
)

/** The details that apply in the subscription's state. */
const Details = ({ subscription }: Props) => {
  const say = useText()
  const formats = useFormats()
  const { money, date, number } = formats
  const reasonWords = useReasonWords()
  const { status, plan, instrument, store_order_id, current_period_start, current_period_end } = subscription
  const { cancellation_reason } = subscription
  const earlier = useEarlier(subscription)
  const hasEnded = status === "CANCELLED" || status === "EXPIRED"
  const moment = (at: string | null) => at !== null && <Moment at={at} />
  return (
    <Section heading={say("subscriptions.details")}>
      <Facts
        rows={[
          [say("subscriptions.plan"), plan === null ? say("subscriptions.no_plan") : <PlanLink key="p" plan={plan} />],
          [
            say("subscriptions.instrument"),
            instrument === null ? say("subscriptions.no_instrument") : meansName(say, formats, instrument),
          ],
          ...when(subscription.quantity > 1, [[say("subscriptions.quantity"), timesText(formats, subscription)]]),
          ...when(!hasEnded && status !== "PAST_DUE", [
            [say("subscriptions.next"), moment(subscription.next_billing_date)],
          ]),
          ...when(!hasEnded, [
            [say("subscriptions.amount_due"), money(subscription.amount_due, subscription.currency)],
          ]),
          ...earlier,
          ...when(current_period_start !== null, [
            [say("subscriptions.period"), `${date(current_period_start)} – ${date(current_period_end)}`],
          ]),
          ...when(status === "TRIALING", [[say("subscriptions.trial_end"), moment(subscription.trial_end_date)]]),
          ...when(status === "PAST_DUE", [
            [say("subscriptions.past_due_since"), moment(subscription.past_due_since)],
            [say("subscriptions.failures"), number(subscription.failed_payment_count)],
            [say("subscriptions.retry_at"), moment(subscription.retry_at) || say("subscriptions.no_retry")],
          ]),
          ...when(status === "PAUSED", [[say("subscriptions.paused_at"), moment(subscription.paused_at)]]),
          ...when(hasEnded, [
            [say("subscriptions.cancelled_at"), moment(subscription.cancelled_at)],
            [say("subscriptions.reason"), cancellation_reason === null ? null : reasonWords(cancellation_reason)],
            [say("subscriptions.note"), subscription.cancellation_note],
            [
              say(status === "EXPIRED" ? "subscriptions.ended_at" : "subscriptions.usable_until"),
              moment(status === "EXPIRED" ? subscription.ended_at : current_period_end),
            ],
          ]),
          [say("subscriptions.cycles"), number(subscription.billing_cycle_count)],
          ...when(subscription.end !== null, [[say("ends.title"), endText(say, formats, subscription.end)]]),
          [say("subscriptions.source"), say(`subscriptions.source_${subscription.source}`)],
          ...when(store_order_id !== null, [
            [
              say("subscriptions.order"),
              <OrderLink key="o" id={store_order_id} number={subscription.medusa_order_number} />,
            ],
          ]),
          [say("plans.uuid"), <Copied key="u" text={subscription.id} />],
          [say("subscriptions.created"), <Moment key="c" at={subscription.created_at} />],
        ]}
      />
    </Section>
  )
}

/** The customer had the plan's trial, with this subscription unless it was deleted. */
const NoTrial = ({ before }: { before: SubscriptionTimeline["trial_before"] }) => {
  const say = useText()
  return (
    <>
      {say("ends.no_trial_text")}{" "}
      {before !== null && (
        <Link to={`/gateway/subscriptions/${before.id}`} className="text-ui-fg-interactive">
          {say("ends.no_trial_before", { number: String(before.number) })}
        </Link>
      )}
    </>
  )
}

/** What happened before: a trial that is not given again, and what a switch of plan has left. */
function useEarlier(subscription: SubscriptionTimeline): Rows {
  const say = useText()
  const formats = useFormats()
  const { money } = formats
  const { scheduled_change, credit_balance, currency, trial_refused, trial_before } = subscription
  const rows: Rows[number][] = []
  if (trial_refused) {
    rows.push([say("ends.no_trial"), <NoTrial key="t" before={trial_before} />])
  }
  if (scheduled_change !== null) {
    const { plan_name, amount } = scheduled_change
    const terms = `${money(amount, currency)} ${everyText(say, scheduled_change)}`
    const times = timesText(formats, { ...scheduled_change, currency })
    const parts = [plan_name ?? say("subscriptions.no_plan"), terms, times].filter((part) => part !== "")
    rows.push([say("subscriptions.scheduled"), parts.join(" · ")])
  }
  if (Number(credit_balance) !== 0) {
    rows.push([say("subscriptions.credit"), money(credit_balance, currency)])
  }
  return rows
}

type Rows = Parameters<typeof Facts>[0]["rows"]

function when(condition: boolean, rows: Rows): Rows {
  return condition ? rows : []
}

const Events = ({ subscription: { events } }: Props) => {
  const say = useText()
  return (
    <Section heading={say("subscriptions.events")}>
      {events.length === 0 ? (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {say("subscriptions.events_none")}
        </Text>
      ) : (
        <ul tabIndex={0} aria-label={say("subscriptions.events")} className="max-h-80 divide-y overflow-y-auto">
          {events.map(({ event_id, event_type, occurred_at }) => (
            <li key={event_id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-6 py-3">
              <Button variant="transparent" size="small" className="p-0" asChild>
                <Link to={`/gateway/developers/events?opened=${event_id}`} className="text-ui-fg-interactive font-mono">
                  {event_type}
                </Link>
              </Button>
              <Text size="xsmall" className="text-ui-fg-subtle">
                <Moment at={occurred_at} />
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const SubscriptionPage = () => (
  <AdminPage>
    <SubscriptionDetails />
  </AdminPage>
)

export const handle = crumb("crumbs.subscription")

export default SubscriptionPage
