import { Label, RadioGroup, Text } from "@medusajs/ui"
import { useState } from "react"
import { typedNumber } from "../../../i18n/typed"
import type { presentPreview } from "../../../api/admin/gateway/subscriptions/resource"
import { useAdminMutation, useAdminQuery } from "../data"
import { useFormats } from "../format"
import type { AdminError, Json } from "../http"
import { type ChosenPlan, PlanField } from "../plans/parts"
import { useText } from "../text"
import { ActButton, Ask } from "../ui/bits"
import { TextField, entryOf } from "../ui/fields"
import { Field, FormDrawer, faultOf } from "../ui/form"
import { type SubscriptionTimeline } from "./parts"

type Props = { subscription: SubscriptionTimeline }
type Preview = Json<ReturnType<typeof presentPreview>>

/** `due`: what the form has shown. `same`: at once, and the new price from the next period on. */
type Draft = { plan: ChosenPlan | null; quantity: string; how: (typeof HOW)[number]; due?: string }
const HOW = ["now", "next", "same"] as const
/** Goods of the store were sent for this period: another plan begins with the next one. */
const HOW_OF_GOODS = ["next"] as const

/** Without another quantity, a plan keeps the one that holds by the time it is switched. */
function bodyOf({ plan, quantity, how }: Draft, { quantity: before }: SubscriptionTimeline) {
  const when = how === "next" ? "period_end" : "now"
  const number = plan === null ? {} : { subscription_plan_id: Number(plan.value) }
  const many = quantity.trim() === String(before) ? {} : { quantity: typedNumber(quantity) }
  return { ...number, ...many, when, proration: how === "same" ? "none" : "credit" }
}

/** Switches the subscription to another plan or quantity; the form shows what that costs before anything is changed. */
export const SwitchPlan = ({ subscription }: Props) => {
  const say = useText()
  const [draft, setDraft] = useState<Draft | null>(null)
  const close = () => setDraft(null)
  const change = useAdminMutation<Draft, { subscription: SubscriptionTimeline }>(
    {
      path: () => `/subscriptions/${subscription.id}/change`,
      body: ({ due, ...draft }) => ({
        ...bodyOf(draft, subscription),
        ...(draft.how === "now" ? { amount_due: due } : {}),
      }),
    },
    {
      done: ({ subscription: { scheduled_change } }) =>
        say(scheduled_change === null ? "subscriptions.switched" : "subscriptions.switch_scheduled"),
      onDone: close,
    }
  )
  const preview = usePreview(subscription, draft)
  const start = () => {
    change.reset()
    setDraft({ plan: null, quantity: String(subscription.quantity), how: waysOf(subscription)[0] })
  }
  // A refusal may be of a sum that has changed since it was shown.
  const submit = (wanted: Draft) =>
    change.mutate({ ...wanted, due: preview.shown?.amount_due }, { onError: () => void preview.refetch() })
  return (
    <>
      <ActButton area="subscriptions" variant="secondary" onClick={start}>
        {say("subscriptions.switch")}
      </ActButton>
      <FormDrawer
        open={draft !== null}
        onClose={close}
        title={say("subscriptions.switch")}
        description={say(
          subscription.source === "store" ? "subscriptions.switch_goods_hint" : "subscriptions.switch_hint"
        )}
        submit={say("subscriptions.switch")}
        pending={change.isPending}
        ready={preview.shown !== undefined}
        onSubmit={() => draft && submit(draft)}
      >
        {draft && (
          <>
            <Fields
              subscription={subscription}
              draft={draft}
              error={change.error ?? preview.error}
              onChange={setDraft}
            />
            {isChosen(draft, subscription) && <Cost subscription={subscription} preview={preview} />}
          </>
        )}
      </FormDrawer>
    </>
  )
}

function isChosen({ plan, quantity }: Draft, subscription: SubscriptionTimeline): boolean {
  return plan !== null || (quantity.trim() !== "" && quantity.trim() !== String(subscription.quantity))
}

/** What the chosen switch costs, as soon as a plan or a quantity is chosen; `shown` is undefined while another choice's cost is there. */
function usePreview(subscription: SubscriptionTimeline, draft: Draft | null) {
  const query = draft === null ? {} : bodyOf(draft, subscription)
  const isAsked = draft !== null && isChosen(draft, subscription)
  const asked = useAdminQuery<{ preview: Preview }>(`/subscriptions/${subscription.id}/change`, query, isAsked)
  const { data, error, refetch, isPlaceholderData, isFetching } = asked
  const shown = !isAsked || isPlaceholderData || isFetching || error !== null ? undefined : data?.preview
  return { shown, error, refetch }
}

type FieldsProps = Props & { draft: Draft; error: AdminError | null; onChange: (draft: Draft) => void }

function waysOf({ source }: SubscriptionTimeline): readonly Draft["how"][] {
  return source === "store" ? HOW_OF_GOODS : HOW
}

const Fields = ({ subscription, draft, error, onChange }: FieldsProps) => {
  const say = useText()
  const ways = waysOf(subscription)
  return (
    <>
      <PlanField
        fault={faultOf(error, "subscription_plan_id")}
        chosen={draft.plan}
        onChoose={(plan) => onChange({ ...draft, plan })}
      />
      {subscription.source === "api" && (
        <TextField
          label={say("subscriptions.quantity")}
          hint={say("subscriptions.switch_keeps")}
          fault={faultOf(error, "quantity")}
          inputMode="numeric"
          {...entryOf(draft, onChange, "quantity")}
        />
      )}
      <Field label={say("subscriptions.switch_when")} fault={faultOf(error, "when")} value={draft.how}>
        {(tied) => (
          <RadioGroup
            {...tied}
            aria-label={say("subscriptions.switch_when")}
            value={draft.how}
            onValueChange={(value) => onChange({ ...draft, how: ways.find((how) => how === value) ?? draft.how })}
          >
            {ways.map((how) => (
              <Label size="small" key={how} className="flex items-center gap-2">
                <RadioGroup.Item value={how} />
                {say(`subscriptions.switch_${how}`)}
              </Label>
            ))}
          </RadioGroup>
        )}
      </Field>
    </>
  )
}

/** What the switch costs, line by line; or why it is not possible. */
const Cost = ({ subscription, preview: { shown, error } }: Props & { preview: ReturnType<typeof usePreview> }) => {
  const say = useText()
  const { money, date, number } = useFormats()
  if (shown === undefined) {
    return error === null ? null : (
      <Text size="small" role="alert" className="text-ui-fg-error">
        {error.message}
      </Text>
    )
  }
  const { lines, amount_due, credit_left, next_billing_date, next_amount, new_terms } = shown
  const amount = (text: string) => money(text, subscription.currency)
  return (
    <div className="border-ui-border-base flex flex-col gap-2 rounded-lg border p-4" role="status">
      {lines.map(({ kind, plan_name, quantity = 1, amount: line, period_start, period_end }) => (
        <div key={`${kind} ${period_start} ${line}`} className="flex items-baseline justify-between gap-4">
          <Text size="small">
            {say(`subscriptions.switch_lines.${kind === "credit" && Number(line) > 0 ? "carried" : kind}`, {
              name: plan_name ?? say("subscriptions.no_plan"),
              start: date(period_start),
              end: date(period_end),
            })}
            {quantity > 1 && ` · × ${number(quantity)}`}
          </Text>
          <Text size="small" className="whitespace-nowrap tabular-nums">
            {amount(line)}
          </Text>
        </div>
      ))}
      <Text size="small" weight="plus">
        {say("subscriptions.switch_due", { amount: amount(amount_due) })}
      </Text>
      {Number(credit_left) > 0 && (
        <Text size="small">{say("subscriptions.switch_credit", { amount: amount(credit_left) })}</Text>
      )}
      {Number(credit_left) < 0 && (
        <Text size="small">{say("subscriptions.switch_owed", { amount: amount(credit_left.slice(1)) })}</Text>
      )}
      {new_terms.billing_cycles !== undefined && (
        <Text size="small">
          {say("ends.title")}: {say("ends.plan", { count: new_terms.billing_cycles })}
        </Text>
      )}
      {next_billing_date !== null && (
        <Text size="small">
          {say("subscriptions.switch_then", { amount: amount(next_amount), date: date(next_billing_date) })}
        </Text>
      )}
    </div>
  )
}

/** Takes a scheduled switch back. */
export const KeepPlan = ({ subscription }: Props) => {
  const say = useText()
  const keep = useAdminMutation<null>(
    { path: () => `/subscriptions/${subscription.id}/keep-plan` },
    { done: () => say("subscriptions.kept") }
  )
  return (
    <Ask
      area="subscriptions"
      harmless
      label={say("subscriptions.keep")}
      title={say("subscriptions.keep_title")}
      text={say("subscriptions.keep_text")}
      pending={keep.isPending}
      act={() => keep.mutate(null)}
    />
  )
}
