import type { presentAdminLink } from "../../../api/admin/gateway/payment-links/resource"
import type { Json } from "../http"
import { useState } from "react"
import { useAdminMutation } from "../data"
import type { AdminError } from "../http"
import { useText } from "../text"
import { ActButton, type Color, OnOff } from "../ui/bits"
import { TextAreaField, TextField, entryOf } from "../ui/fields"
import { FormModal, faultOf } from "../ui/form"

export const LINK_STATUSES = ["open", "paid", "expired", "disabled"] as const
type LinkStatus = (typeof LINK_STATUSES)[number]

export const LINK_COLORS: Readonly<Record<LinkStatus, Color>> = {
  open: "blue",
  paid: "green",
  expired: "orange",
  disabled: "grey",
}

/** Amounts as decimal text, times as ISO 8601. */
export type PaymentLink = Json<ReturnType<typeof presentAdminLink>>

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
  const typed = (name: Exclude<keyof Draft, "hasCustomer">) => entryOf(draft, onChange, name)
  return (
    <>
      <TextField
        label={say("payments.amount")}
        hint={say("links.amount_hint")}
        fault={faultOf(error, "amount")}
        autoFocus
        inputMode="decimal"
        {...typed("amount")}
      />
      <TextAreaField
        label={say("links.description_label")}
        hint={say("links.description_hint")}
        fault={faultOf(error, "description")}
        maxLength={1000}
        {...typed("description")}
      />
      <TextField
        optional
        label={say("links.expires")}
        hint={say("links.expires_hint")}
        fault={faultOf(error, "expires_at")}
        type="date"
        {...typed("expires")}
      />
      <OnOff
        label={say("links.for_customer")}
        on={draft.hasCustomer}
        onChange={(hasCustomer) => onChange({ ...draft, hasCustomer })}
      />
      {draft.hasCustomer && (
        <>
          <TextField label={say("subscriptions.name")} fault={faultOf(error, "customer.name")} {...typed("name")} />
          <TextField
            label={say("subscriptions.email")}
            fault={faultOf(error, "customer.email")}
            type="email"
            {...typed("email")}
          />
          <TextField
            label={say("subscriptions.phone")}
            fault={faultOf(error, "customer.phone")}
            type="tel"
            {...typed("phone")}
          />
        </>
      )}
    </>
  )
}
