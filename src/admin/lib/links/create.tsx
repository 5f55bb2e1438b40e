import { Input, Label, Switch, Textarea } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import type { AdminError } from "../http"
import { useText } from "../text"
import { ActButton } from "../ui/act-button"
import { faultOf, Field, FormModal } from "../ui/form"
import type { PaymentLink } from "./types"

type Draft = {
  amount: string
  description: string
  /** A day; the link ends with it. */
  expires: string
  hasCustomer: boolean
  name: string
  email: string
  phone: string
}
const EMPTY: Draft = { amount: "", description: "", expires: "", hasCustomer: false, name: "", email: "", phone: "" }

/** The end of a day in Bangladesh. */
function endOf(day: string): string {
  return `${day}T23:59:59+06:00`
}

function bodyOf({ amount, description, expires, hasCustomer, name, email, phone }: Draft) {
  return {
    amount: amount.trim(),
    description: description.trim(),
    expires_at: expires === "" ? undefined : endOf(expires),
    customer: hasCustomer ? { name: name.trim(), email: email.trim(), phone: phone.trim() } : undefined,
  }
}

export const CreateLink = ({ onMade }: { onMade: (id: string) => void }) => {
  const say = useText()
  const [draft, setDraft] = useState<Draft | null>(null)
  const create = useAdminMutation<Draft, { payment_link: PaymentLink }>(
    { path: () => "/payment-links", body: bodyOf },
    {
      done: () => say("links.made"),
      onDone: ({ payment_link }) => {
        setDraft(null)
        onMade(payment_link.id)
      },
    }
  )
  return (
    <>
      <ActButton area="payment-links" onClick={() => setDraft(EMPTY)}>
        {say("links.create")}
      </ActButton>
      <FormModal
        open={draft !== null}
        onClose={() => {
          create.reset()
          setDraft(null)
        }}
        title={say("links.create")}
        description={say("links.create_hint")}
        submit={say("links.create")}
        pending={create.isPending}
        onSubmit={() => draft !== null && create.mutate(draft)}
      >
        {draft !== null && <Fields draft={draft} onChange={setDraft} error={create.error} />}
      </FormModal>
    </>
  )
}

type FieldsProps = { draft: Draft; onChange: (draft: Draft) => void; error: AdminError | null }

const Fields = ({ draft, onChange, error }: FieldsProps) => {
  const say = useText()
  const typed = (name: Exclude<keyof Draft, "hasCustomer">) => ({
    value: draft[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...draft, [name]: target.value }),
  })
  return (
    <>
      <Field label={say("payments.amount")} hint={say("links.amount_hint")} fault={faultOf(error, "amount")}>
        {(tied) => <Input {...tied} autoFocus inputMode="decimal" {...typed("amount")} />}
      </Field>
      <Field
        label={say("links.description_label")}
        hint={say("links.description_hint")}
        fault={faultOf(error, "description")}
      >
        {(tied) => <Textarea {...tied} maxLength={1000} {...typed("description")} />}
      </Field>
      <Field
        optional
        label={say("links.expires")}
        hint={say("links.expires_hint")}
        fault={faultOf(error, "expires_at")}
      >
        {(tied) => <Input {...tied} type="date" {...typed("expires")} />}
      </Field>
      <div className="flex items-center gap-3">
        <Switch
          id="link-customer"
          className="shrink-0"
          checked={draft.hasCustomer}
          onCheckedChange={(hasCustomer) => onChange({ ...draft, hasCustomer })}
        />
        <Label htmlFor="link-customer" size="small" weight="plus">
          {say("links.for_customer")}
        </Label>
      </div>
      {draft.hasCustomer && (
        <>
          <Field label={say("subscriptions.name")} fault={faultOf(error, "customer.name")}>
            {(tied) => <Input {...tied} {...typed("name")} />}
          </Field>
          <Field label={say("subscriptions.email")} fault={faultOf(error, "customer.email")}>
            {(tied) => <Input {...tied} type="email" {...typed("email")} />}
          </Field>
          <Field label={say("subscriptions.phone")} fault={faultOf(error, "customer.phone")}>
            {(tied) => <Input {...tied} type="tel" {...typed("phone")} />}
          </Field>
        </>
      )}
    </>
  )
}
