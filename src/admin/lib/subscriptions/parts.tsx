import type {
  presentRecord,
  presentSubscription,
  presentTimeline,
} from "../../../api/admin/gateway/subscriptions/resource"
import type { Json } from "../http"
import { useState } from "react"
import { useAdminMutation } from "../data"
import type { Formats } from "../format"
import { instrumentName, serviceName } from "../payments/parts"
import { type IntervalDraft, IntervalFields, numberOf } from "../plans/parts"
import { type Say, useMessage, useText } from "../text"
import { ActButton, Badge, type Color } from "../ui/bits"
import { TextField } from "../ui/fields"
import { FormDrawer, faultOf } from "../ui/form"

export const STATUSES: readonly Status[] = [
  "ACTIVE",
  "TRIALING",
  "PENDING",
  "PAST_DUE",
  "PAUSED",
  "CANCELLED",
  "EXPIRED",
]

export type Subscription = Json<ReturnType<typeof presentSubscription>>

export type Status = Subscription["status"]

type Means = {
  method: string
  service: string
  brand: string | null
  last_four: string | null
  account: string | null
}

export type SubscriptionTimeline = Json<ReturnType<typeof presentTimeline>> & { medusa_order_number: number | null }

export type BillingRecord = Json<ReturnType<typeof presentRecord>>

type RecordStatus = BillingRecord["status"]

export const STATUS_COLORS: Readonly<Record<Status, Color>> = {
  PENDING: "blue",
  TRIALING: "purple",
  ACTIVE: "green",
  PAST_DUE: "red",
  PAUSED: "orange",
  CANCELLED: "grey",
  EXPIRED: "grey",
}

const RECORD_COLORS: Readonly<Record<RecordStatus, Color>> = {
  PENDING: "blue",
  PROCESSING: "blue",
  SUCCESS: "green",
  FAILED: "red",
  REFUNDED: "orange",
}

/** `price`: the member of the API whose value `amount` is. Of several, a person sets the price of one. */
type TermsDraft = IntervalDraft & { amount: string; price: "amount" | "unit_amount" }

type Terms = Pick<SubscriptionTimeline, "amount" | "unit_amount" | "quantity" | "interval_count" | "interval_unit">

export function draftOf({ amount, unit_amount, quantity, interval_count, interval_unit }: Terms): TermsDraft {
  const interval = { interval_count: String(interval_count), interval_unit }
  return unit_amount === null || quantity === 1
    ? { amount, price: "amount", ...interval }
    : { amount: unit_amount, price: "unit_amount", ...interval }
}

/** `5 × ৳200.00`; of goods, which have no price of one, `× 5`; empty for one. */
export function timesText(
  { money, number }: Pick<Formats, "money" | "number">,
  { quantity, unit_amount, currency }: Pick<Subscription, "quantity" | "unit_amount" | "currency">
): string {
  const count = number(quantity)
  return quantity === 1 ? "" : unit_amount === null ? `× ${count}` : `${count} × ${money(unit_amount, currency)}`
}

/**
 * The body of a change: what the admin has changed since the form was `opened`, and nothing else. Count and unit go
 * together, because a count that somebody else has changed meanwhile would get a unit that it was never meant for.
 */
export function changeOf(draft: TermsDraft, opened: TermsDraft): object {
  const { amount, price, interval_count, interval_unit } = draft
  const isOtherInterval = interval_count.trim() !== opened.interval_count || interval_unit !== opened.interval_unit
  return {
    ...(amount.trim() === opened.amount ? {} : { [price]: amount }),
    ...(isOtherInterval ? { interval_count: numberOf(interval_count), interval_unit } : {}),
  }
}

export const SubscriptionBadge = ({ status }: { status: Status }) => {
  const say = useText()
  return <Badge color={STATUS_COLORS[status]}>{say(`subscriptions.statuses.${status}`)}</Badge>
}

export const RecordBadge = ({ status }: { status: RecordStatus }) => {
  const say = useText()
  return <Badge color={RECORD_COLORS[status]}>{say(`subscriptions.records.${status}`)}</Badge>
}

/** A reason of a cancellation in words: one of the gateway's list by its code, any other as it was said. */
export function useReasonWords(): (reason: string) => string {
  const message = useMessage()
  return (reason) => message({ kind: `cancellation.${reason}`, message: reason })
}

/** `Card Visa •••• 4242` */
export function meansName(
  say: Say,
  formats: Pick<Formats, "digits">,
  { service, brand, last_four, account }: Means
): string {
  const about = { brand: brand ?? undefined, last_four: last_four ?? undefined, account: account ?? undefined }
  return [serviceName(say, service), instrumentName(formats, about)].filter(Boolean).join(" ")
}

/** Changes the terms from the next cycle on. */
export const ChangeSubscription = ({ subscription }: { subscription: SubscriptionTimeline }) => {
  const say = useText()
  const [form, setForm] = useState<{ opened: TermsDraft; draft: TermsDraft } | null>(null)
  const close = () => setForm(null)
  const save = useAdminMutation<object>(
    { path: () => `/subscriptions/${subscription.id}`, body: (change) => change },
    { done: () => say("subscriptions.changed"), onDone: close }
  )
  const start = () => {
    const opened = draftOf(subscription)
    save.reset()
    setForm({ opened, draft: opened })
  }
  const edit = (draft: TermsDraft) => setForm((now) => now && { ...now, draft })
  const submit = ({ opened, draft }: { opened: TermsDraft; draft: TermsDraft }) => {
    const change = changeOf(draft, opened)
    return Object.keys(change).length === 0 ? close() : save.mutate(change)
  }
  return (
    <>
      <ActButton area="subscriptions" variant="secondary" onClick={start}>
        {say("subscriptions.change")}
      </ActButton>
      <FormDrawer
        open={form !== null}
        onClose={close}
        title={say("subscriptions.change_title")}
        description={say("subscriptions.change_hint")}
        submit={say("common.save")}
        pending={save.isPending}
        onSubmit={() => form && submit(form)}
      >
        {form && (
          <>
            <TextField
              label={say(form.draft.price === "amount" ? "plans.amount" : "subscriptions.unit_amount")}
              hint={form.draft.price === "amount" ? say("plans.amount_hint") : undefined}
              fault={faultOf(save.error, form.draft.price)}
              autoFocus
              inputMode="decimal"
              value={form.draft.amount}
              onChange={(amount) => edit({ ...form.draft, amount })}
            />
            <IntervalFields draft={form.draft} onChange={edit} error={save.error} />
          </>
        )}
      </FormDrawer>
    </>
  )
}
