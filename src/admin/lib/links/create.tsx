import type { presentAdminLink } from "../../../api/admin/gateway/payment-links/resource"
import type { Json } from "../http"
import { useState } from "react"
import { useAdminMutation } from "../data"
import type { AdminError } from "../http"
import { type Formats, useFormats } from "../format"
import { type Say, useText } from "../text"
import { typedNumber, typedAmount } from "../../../i18n/typed"
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

/** What a payment of the link is of: its amount, or what payers may choose. */
export function amountWords(say: Say, money: Formats["money"], { amount, open_amount, currency }: PaymentLink): string {
  if (amount !== null || open_amount === null) {
    return money(amount ?? "", currency)
  }
  const min = money(open_amount.min, currency)
  return open_amount.max === null
    ? say("links.any_amount", { min })
    : say("links.amount_range", { min, max: money(open_amount.max, currency) })
}

type Draft = {
  amount: string
  hasOpenAmount: boolean
  min: string
  max: string
  /** Amounts with spaces between them. */
  suggested: string
  isReusable: boolean
  count: string
  description: string
  /** A day; the link ends with it. */
  expires: string
  hasCustomer: boolean
  name: string
  email: string
  phone: string
}
const EMPTY: Draft = {
  amount: "",
  hasOpenAmount: false,
  min: "",
  max: "",
  suggested: "",
  isReusable: false,
  count: "",
  description: "",
  expires: "",
  hasCustomer: false,
  name: "",
  email: "",
  phone: "",
}

/** Amounts with spaces or commas between them, as `typedAmount` reads each. */
function suggestedOf(text: string): string[] {
  const parts = text.split(/\s+/).map((part) => typedAmount(part.replace(/,+$/, "")))
  return parts.filter((part) => part !== "")
}

function bodyOf(draft: Draft, { endOf }: Formats) {
  const { amount, description, expires, hasCustomer, name, email, phone } = draft
  const { hasOpenAmount, min, max, suggested, isReusable, count } = draft
  return {
    amount: hasOpenAmount ? undefined : amount.trim(),
    open_amount: hasOpenAmount
      ? { min: min.trim() || undefined, max: max.trim() || undefined, suggested: suggestedOf(suggested) }
      : undefined,
    reusable: isReusable || undefined,
    max_payments: isReusable ? typedNumber(count.trim()) : undefined,
    description: description.trim(),
    expires_at: expires === "" ? undefined : endOf(expires),
    customer: hasCustomer ? { name: name.trim(), email: email.trim(), phone: phone.trim() } : undefined,
  }
}

export const CreateLink = ({ onMade }: { onMade: (id: string) => void }) => {
  const say = useText()
  const [draft, setDraft] = useState<Draft | null>(null)
  const formats = useFormats()
  const create = useAdminMutation<Draft, { payment_link: PaymentLink }>(
    { path: () => "/payment-links", body: (draft) => bodyOf(draft, formats) },
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

type TypedName = Exclude<keyof Draft, "hasCustomer" | "hasOpenAmount" | "isReusable">
type FieldsProps = { draft: Draft; onChange: (draft: Draft) => void; error: AdminError | null }

const Fields = ({ draft, onChange, error }: FieldsProps) => {
  const say = useText()
  const typed = (name: TypedName) => entryOf(draft, onChange, name)
  return (
    <>
      <AmountFields draft={draft} onChange={onChange} error={error} />
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

/** How much is paid, by whom it is decided, and how often. */
const AmountFields = ({ draft, onChange, error }: FieldsProps) => {
  const say = useText()
  const typed = (name: TypedName) => entryOf(draft, onChange, name)
  return (
    <>
      {!draft.hasOpenAmount && (
        <TextField
          label={say("payments.amount")}
          hint={say("links.amount_hint")}
          fault={faultOf(error, "amount")}
          autoFocus
          inputMode="decimal"
          {...typed("amount")}
        />
      )}
      <OnOff
        label={say("links.open_amount")}
        on={draft.hasOpenAmount}
        onChange={(hasOpenAmount) => onChange({ ...draft, hasOpenAmount })}
      />
      {draft.hasOpenAmount && (
        <>
          <TextField
            optional
            label={say("links.min")}
            hint={say("links.min_hint")}
            fault={faultOf(error, "open_amount.min")}
            inputMode="decimal"
            {...typed("min")}
          />
          <TextField
            optional
            label={say("links.max")}
            hint={say("links.max_hint")}
            fault={faultOf(error, "open_amount.max")}
            inputMode="decimal"
            {...typed("max")}
          />
          <TextField
            optional
            label={say("links.suggested")}
            hint={say("links.suggested_hint")}
            fault={faultOf(error, "open_amount.suggested")}
            {...typed("suggested")}
          />
        </>
      )}
      <OnOff
        label={say("links.reusable")}
        hint={say("links.reusable_hint")}
        on={draft.isReusable}
        onChange={(isReusable) => onChange({ ...draft, isReusable })}
      />
      {draft.isReusable && (
        <TextField
          optional
          label={say("links.max_payments")}
          hint={say("links.max_payments_hint")}
          fault={faultOf(error, "max_payments")}
          inputMode="numeric"
          {...typed("count")}
        />
      )}
    </>
  )
}
