import { useNavigate } from "react-router-dom"
import { toast } from "@medusajs/ui"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { declineWords } from "../payments/parts"
import { useText } from "../text"
import { Ask } from "../ui/ask"
import { CancelSubscription } from "./cancel"
import { ChangeSubscription } from "./change"
import { meansName } from "./parts"
import type { SubscriptionTimeline } from "./types"

type Props = { subscription: SubscriptionTimeline }

/** The actions that a subscription's state allows. */
export const SubscriptionActions = ({ subscription }: Props) => {
  const { status } = subscription
  if (status === "CANCELLED" || status === "EXPIRED") {
    return null
  }
  return (
    <>
      {status === "PAST_DUE" && subscription.instrument !== null && <Retry subscription={subscription} />}
      {status === "ACTIVE" && <Move subscription={subscription} name="pause" />}
      {status === "PAUSED" && <Move subscription={subscription} name="resume" />}
      <Invoice subscription={subscription} />
      <ChangeSubscription subscription={subscription} />
      <CancelSubscription subscription={subscription} />
    </>
  )
}

const Move = ({ subscription, name }: Props & { name: "pause" | "resume" }) => {
  const say = useText()
  const move = useAdminMutation<null>(
    { path: () => `/subscriptions/${subscription.id}/${name}` },
    { done: () => say(name === "pause" ? "subscriptions.paused" : "subscriptions.resumed") }
  )
  return (
    <Ask
      area="subscriptions"
      harmless
      label={say(`subscriptions.${name}`)}
      title={say(`subscriptions.${name}_title`)}
      text={say(`subscriptions.${name}_text`)}
      pending={move.isPending}
      act={() => move.mutate(null)}
    />
  )
}

type Retried = { outcome: "paid" | "declined" | "unknown"; error_code: string | null }

/** Sends the number of charges that the admin has seen, so that a second click does not charge again. */
const Retry = ({ subscription }: Props) => {
  const say = useText()
  const { money } = useFormats()
  const { id, attempts, amount_due, currency, instrument } = subscription
  const retry = useAdminMutation<number, Retried>(
    { path: () => `/subscriptions/${id}/retry`, body: (seen) => ({ attempts: seen }) },
    {
      onDone: ({ outcome, error_code }) => {
        if (outcome === "declined") {
          toast.error(say("subscriptions.retry_declined", { reason: declineWords(say, { code: error_code }) }))
        } else if (outcome === "paid") {
          toast.success(say("subscriptions.retry_paid"))
        } else {
          toast.info(say("subscriptions.retry_unknown"))
        }
      },
    }
  )
  return (
    <Ask
      area="subscriptions"
      label={say("subscriptions.retry")}
      title={say("subscriptions.retry_title", { amount: money(amount_due, currency) })}
      text={say("subscriptions.retry_text", { instrument: instrument === null ? "" : meansName(say, instrument) })}
      pending={retry.isPending}
      act={() => retry.mutate(attempts)}
    />
  )
}

const Invoice = ({ subscription }: Props) => {
  const say = useText()
  const navigate = useNavigate()
  const generate = useAdminMutation<null, { invoice: { id: string; invoice_id: string } }>(
    { path: () => "/invoices", body: () => ({ subscription_id: subscription.id }) },
    {
      done: ({ invoice }) => say("subscriptions.invoiced", { number: invoice.invoice_id }),
      onDone: ({ invoice }) => navigate(`/gateway/invoices/${invoice.id}`),
    }
  )
  return (
    <Ask
      area="invoices"
      harmless
      label={say("subscriptions.invoice")}
      title={say("subscriptions.invoice_title")}
      text={say("subscriptions.invoice_text", { email: subscription.customer.email })}
      pending={generate.isPending}
      act={() => generate.mutate(null)}
    />
  )
}
