import { Label, RadioGroup, toast } from "@medusajs/ui"
import { useState } from "react"
import { useNavigate } from "react-router-dom"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import type { AdminError } from "../http"
import { declineWords } from "../payments/parts"
import { useText } from "../text"
import { ActButton, Ask } from "../ui/bits"
import { ChoiceField, TextAreaField } from "../ui/fields"
import { Field, FormDrawer, faultOf } from "../ui/form"
import { KeepPlan, SwitchPlan } from "./switch"
import { ChangeSubscription, type SubscriptionTimeline, meansName, useReasonWords } from "./parts"

/** `reason` NO_REASON: none was chosen. */
type Draft = { when: "end" | "now"; reason: string; note: string }

/** A select has no empty value. */
const NO_REASON = "-"

/** Asks when and why; the form is the confirmation, because a cancellation that takes effect at once is final. */
const CancelSubscription = ({ subscription }: { subscription: SubscriptionTimeline }) => {
  const say = useText()
  const [draft, setDraft] = useState<Draft | null>(null)
  const cancel = useAdminMutation<Draft>(
    {
      path: () => `/subscriptions/${subscription.id}/cancel`,
      body: ({ when, reason, note }) => ({
        cancel_at_period_end: when === "end",
        cancellation_reason: reason === NO_REASON ? null : reason,
        cancellation_note: note,
      }),
    },
    { done: () => say("subscriptions.cancelled"), onDone: () => setDraft(null) }
  )
  const start = () => {
    cancel.reset()
    setDraft({ when: "end", reason: NO_REASON, note: "" })
  }
  return (
    <>
      <ActButton area="subscriptions" variant="danger" onClick={start}>
        {say("subscriptions.cancel")}
      </ActButton>
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("subscriptions.cancel")}
        description={say("subscriptions.cancel_hint")}
        submit={say("subscriptions.cancel")}
        leave={say("common.close")}
        pending={cancel.isPending}
        onSubmit={() => draft && cancel.mutate(draft)}
      >
        {draft && <CancelFields subscription={subscription} draft={draft} error={cancel.error} onChange={setDraft} />}
      </FormDrawer>
    </>
  )
}

type Props = { subscription: SubscriptionTimeline }

type FieldsProps = Props & { draft: Draft; error: AdminError | null; onChange: (draft: Draft) => void }

const CancelFields = ({ subscription, draft, error, onChange }: FieldsProps) => {
  const say = useText()
  const words = useReasonWords()
  const reasons = subscription.cancellation_reasons.map((reason) => ({ value: reason, label: words(reason) }))
  return (
    <>
      <Field label={say("subscriptions.cancel_when")} fault={faultOf(error, "cancel_at_period_end")} value={draft.when}>
        {(tied) => (
          <RadioGroup
            {...tied}
            aria-label={say("subscriptions.cancel_when")}
            value={draft.when}
            onValueChange={(when) => onChange({ ...draft, when: when === "now" ? "now" : "end" })}
          >
            {(["end", "now"] as const).map((when) => (
              <Label size="small" key={when} className="flex items-center gap-2">
                <RadioGroup.Item value={when} />
                {say(`subscriptions.cancel_${when}`)}
              </Label>
            ))}
          </RadioGroup>
        )}
      </Field>
      <ChoiceField
        label={say("subscriptions.cancel_reason")}
        fault={faultOf(error, "cancellation_reason")}
        value={draft.reason}
        options={[{ value: NO_REASON, label: say("subscriptions.cancel_no_reason") }, ...reasons]}
        onChange={(reason) => onChange({ ...draft, reason })}
      />
      <TextAreaField
        optional
        label={say("subscriptions.note")}
        fault={faultOf(error, "cancellation_note")}
        value={draft.note}
        onChange={(note) => onChange({ ...draft, note })}
      />
    </>
  )
}

/** The actions that a subscription's state allows. */
export const SubscriptionActions = ({ subscription }: Props) => {
  const say = useText()
  const { status } = subscription
  if (status === "CANCELLED" || status === "EXPIRED") {
    return subscription.may_uncancel ? <Uncancel subscription={subscription} /> : null
  }
  return (
    <>
      {status === "PAST_DUE" && subscription.instrument !== null && <Retry subscription={subscription} />}
      {status === "ACTIVE" && <Move subscription={subscription} name="pause" text={say("subscriptions.pause_text")} />}
      {status === "PAUSED" && (
        <Move subscription={subscription} name="resume" text={say("subscriptions.resume_text")} />
      )}
      <Invoice subscription={subscription} />
      {subscription.scheduled_change !== null && <KeepPlan subscription={subscription} />}
      {(subscription.source === "api" || status !== "PAST_DUE") && <SwitchPlan subscription={subscription} />}
      <ChangeSubscription subscription={subscription} />
      <CancelSubscription subscription={subscription} />
    </>
  )
}

const MOVED = {
  pause: "subscriptions.paused",
  resume: "subscriptions.resumed",
  uncancel: "subscriptions.uncancelled",
} as const

/** No period follows the one that is paid. */
function isLastPeriod({ end, current_period_end: until }: SubscriptionTimeline): boolean {
  if (end === null || until === null) {
    return false
  }
  return end.cycles === null ? end.at !== null && new Date(end.at) <= new Date(until) : end.paid >= end.cycles
}

/** What is paid lasts to the next payment. */
const Uncancel = ({ subscription }: Props) => {
  const say = useText()
  const { date } = useFormats()
  const { past_due_since, current_period_end } = subscription
  const text =
    past_due_since !== null
      ? say("subscriptions.uncancel_overdue_text")
      : say(isLastPeriod(subscription) ? "ends.uncancel_last" : "subscriptions.uncancel_text", {
          date: date(current_period_end),
        })
  return <Move subscription={subscription} name="uncancel" text={text} />
}

const Move = ({ subscription, name, text }: Props & { name: keyof typeof MOVED; text: string }) => {
  const say = useText()
  const move = useAdminMutation<null>(
    { path: () => `/subscriptions/${subscription.id}/${name}` },
    { done: () => say(MOVED[name]) }
  )
  return (
    <Ask
      area="subscriptions"
      harmless
      label={say(`subscriptions.${name}`)}
      title={say(`subscriptions.${name}_title`)}
      text={text}
      pending={move.isPending}
      act={() => move.mutate(null)}
    />
  )
}

type Retried = { outcome: "paid" | "declined" | "unknown"; error_code: string | null }

/** Sends the number of charges that the admin has seen, so that a second click does not charge again. */
const Retry = ({ subscription }: Props) => {
  const say = useText()
  const formats = useFormats()
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
      title={say("subscriptions.retry_title", { amount: formats.money(amount_due, currency) })}
      text={say("subscriptions.retry_text", {
        instrument: instrument === null ? "" : meansName(say, formats, instrument),
      })}
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
