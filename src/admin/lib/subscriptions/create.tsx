import { Label, RadioGroup } from "@medusajs/ui"
import { useState } from "react"
import { useNavigate } from "react-router-dom"
import { typedNumber } from "../../../i18n/typed"
import { useAdminMutation } from "../data"
import { type Formats, useFormats } from "../format"
import { type ChosenPlan, type IntervalDraft, IntervalFields, PlanField } from "../plans/parts"
import { useText } from "../text"
import { ActButton } from "../ui/bits"
import { faultOf, Field, FormModal } from "../ui/form"
import { TextField, entryOf } from "../ui/fields"
import { EndFields, type Subscription, endBody } from "./parts"

type Draft = IntervalDraft & {
  name: string
  email: string
  phone: string
  terms: "plan" | "own"
  plan: ChosenPlan | null
  amount: string
  quantity: string
  billing_cycles: string
  ends_at: string
}
const EMPTY: Draft = {
  name: "",
  email: "",
  phone: "",
  terms: "plan",
  plan: null,
  amount: "",
  quantity: "1",
  interval_count: "1",
  interval_unit: "MONTH",
  billing_cycles: "",
  ends_at: "",
}

function bodyOf(
  { name, email, phone, terms, plan, amount, quantity, interval_count, interval_unit, ...end }: Draft,
  formats: Formats
): object {
  const price = quantity.trim() === "1" ? { amount } : { unit_amount: amount }
  const own = { ...price, interval_count: typedNumber(interval_count), interval_unit }
  return {
    customer: { name, email, phone },
    quantity: typedNumber(quantity),
    ...endBody(end, formats),
    ...(terms === "plan" && plan !== null ? { subscription_plan_id: Number(plan.value) } : terms === "own" ? own : {}),
  }
}

export const CreateSubscription = () => {
  const say = useText()
  const navigate = useNavigate()
  const [draft, setDraft] = useState<Draft | null>(null)
  const [lacksPlan, setLacksPlan] = useState(false)
  const formats = useFormats()
  const create = useAdminMutation<Draft, { subscription: Subscription }>(
    { path: () => "/subscriptions", body: (draft) => bodyOf(draft, formats) },
    {
      done: () => say("subscriptions.created_toast"),
      onDone: ({ subscription }) => navigate(`/gateway/subscriptions/${subscription.id}`),
    }
  )
  const start = () => {
    create.reset()
    setLacksPlan(false)
    setDraft(EMPTY)
  }
  /** Without a plan the API would ask for terms that this choice has no fields for. */
  const submit = (sent: Draft) => {
    const isUnchosen = sent.terms === "plan" && sent.plan === null
    setLacksPlan(isUnchosen)
    if (!isUnchosen) {
      return create.mutate(sent)
    }
    // On a phone the field may be out of sight.
    requestAnimationFrame(() =>
      document.querySelector("[role=dialog] [role=alert]")?.scrollIntoView({ block: "center" })
    )
  }
  return (
    <>
      <ActButton area="subscriptions" variant="secondary" onClick={start}>
        {say("subscriptions.create")}
      </ActButton>
      <FormModal
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("subscriptions.create")}
        description={say("subscriptions.create_hint")}
        submit={say("subscriptions.create")}
        pending={create.isPending}
        onSubmit={() => draft && submit(draft)}
      >
        {draft && <Fields draft={draft} onChange={setDraft} error={create.error} lacksPlan={lacksPlan} />}
      </FormModal>
    </>
  )
}

type Props = {
  draft: Draft
  onChange: (draft: Draft) => void
  error: Parameters<typeof faultOf>[0]
  /** It was submitted without one. */
  lacksPlan: boolean
}

const Fields = ({ draft, onChange, error, lacksPlan }: Props) => {
  const say = useText()
  const typed = (name: "name" | "email" | "phone" | "amount" | "quantity") => entryOf(draft, onChange, name)
  const unchosen = lacksPlan && draft.plan === null ? say("subscriptions.choose_plan") : undefined
  return (
    <>
      <TextField
        label={say("subscriptions.email")}
        fault={faultOf(error, "customer.email")}
        autoFocus
        type="email"
        {...typed("email")}
      />
      <TextField label={say("subscriptions.name")} fault={faultOf(error, "customer.name")} {...typed("name")} />
      <TextField
        optional
        label={say("subscriptions.phone")}
        fault={faultOf(error, "customer.phone")}
        type="tel"
        {...typed("phone")}
      />
      <Field label={say("subscriptions.terms")}>
        {(tied) => (
          <RadioGroup
            {...tied}
            aria-label={say("subscriptions.terms")}
            value={draft.terms}
            onValueChange={(terms) => onChange({ ...draft, terms: terms === "own" ? "own" : "plan" })}
          >
            {(["plan", "own"] as const).map((terms) => (
              <Label size="small" key={terms} className="flex items-center gap-2">
                <RadioGroup.Item value={terms} />
                {say(`subscriptions.terms_${terms}`)}
              </Label>
            ))}
          </RadioGroup>
        )}
      </Field>
      {draft.terms === "plan" ? (
        <PlanField
          fault={faultOf(error, "subscription_plan_id") ?? unchosen}
          chosen={draft.plan}
          onChoose={(plan) => onChange({ ...draft, plan })}
        />
      ) : (
        <>
          <TextField
            label={say("plans.amount")}
            hint={say("plans.amount_hint")}
            fault={faultOf(error, "amount") ?? faultOf(error, "unit_amount")}
            inputMode="decimal"
            {...typed("amount")}
          />
          <IntervalFields draft={draft} onChange={onChange} error={error} />
        </>
      )}
      <TextField
        label={say("subscriptions.quantity")}
        hint={say(draft.terms === "plan" ? "subscriptions.quantity_hint" : "subscriptions.quantity_of_own")}
        fault={faultOf(error, "quantity")}
        inputMode="numeric"
        {...typed("quantity")}
      />
      <EndFields draft={draft} onChange={onChange} error={error} />
    </>
  )
}
