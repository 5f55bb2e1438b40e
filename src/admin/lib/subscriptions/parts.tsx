import type {
  presentRecord,
  presentSubscription,
  presentTimeline,
} from "../../../api/admin/gateway/subscriptions/resource"
import { typedNumber } from "../../../i18n/typed"
import type { AdminError, Json } from "../http"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { type Formats, useFormats } from "../format"
import { instrumentName, serviceName } from "../payments/parts"
import { type IntervalDraft, IntervalFields } from "../plans/parts"
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

/** `ends_at` is a day, `YYYY-MM-DD`. */
type EndDraft = { billing_cycles: string; ends_at: string }
/** `price`: the member of the API whose value `amount` is. Of several, a person sets the price of one. */
type TermsDraft = IntervalDraft & EndDraft & { amount: string; price: "amount" | "unit_amount" }

type Terms = Pick<
  SubscriptionTimeline,
  "amount" | "unit_amount" | "quantity" | "interval_count" | "interval_unit" | "end"
>

export function draftOf(
  { amount, unit_amount, quantity, interval_count, interval_unit, end }: Terms,
  { dayOf }: Pick<Formats, "dayOf">
): TermsDraft {
  const billing_cycles = String(end?.cycles ?? "")
  const ends_at = end === null || end.at === null ? "" : dayOf(end.at)
  const rest = { interval_count: String(interval_count), interval_unit, billing_cycles, ends_at }
  return unit_amount === null || quantity === 1
    ? { amount, price: "amount", ...rest }
    : { amount: unit_amount, price: "unit_amount", ...rest }
}

/** `5 × ৳200.00`; of goods, which have no price of one, `× 5`; empty for one. */
export function timesText(
  { money, number }: Pick<Formats, "money" | "number">,
  { quantity, unit_amount, currency }: Pick<Subscription, "quantity" | "unit_amount" | "currency">
): string {
  const count = number(quantity)
  return quantity === 1 ? "" : unit_amount === null ? `× ${count}` : `${count} × ${money(unit_amount, currency)}`
}

/** The members that a form sends: no empty ones. */
export function endBody({ billing_cycles, ends_at }: EndDraft, { startOf }: Pick<Formats, "startOf">): object {
  return {
    ...(billing_cycles.trim() === "" ? {} : { billing_cycles: typedNumber(billing_cycles) }),
    ...(ends_at === "" ? {} : { ends_at: startOf(ends_at) }),
  }
}

/** "3 of 12 · ends on 1 Jul 2027" */
export function endText(say: Say, { number, date }: Formats, end: Subscription["end"]): string {
  if (end === null) {
    return ""
  }
  const paid = end.cycles === null ? "" : say("ends.paid", { paid: number(end.paid), all: number(end.cycles) })
  const on = end.last_period_end === null ? "" : say("ends.on", { date: date(end.last_period_end) })
  const from = end.at === null || on !== "" ? "" : say("ends.from", { date: date(end.at) })
  return [paid, on, from].filter(Boolean).join(" · ")
}

/**
 * The body of a change: what the admin has changed since the form was `opened`, and nothing else. Count and unit go
 * together, because a count that somebody else has changed meanwhile would get a unit that it was never meant for.
 */
export function changeOf(draft: TermsDraft, opened: TermsDraft, formats: Pick<Formats, "startOf">): object {
  const { amount, price, interval_count, interval_unit, billing_cycles, ends_at } = draft
  const isOtherInterval = interval_count.trim() !== opened.interval_count || interval_unit !== opened.interval_unit
  const isOtherEnd = billing_cycles.trim() !== opened.billing_cycles || ends_at !== opened.ends_at
  const hasEnd = billing_cycles.trim() !== "" || ends_at !== ""
  return {
    ...(amount.trim() === opened.amount ? {} : { [price]: amount }),
    ...(isOtherInterval ? { interval_count: typedNumber(interval_count), interval_unit } : {}),
    ...(isOtherEnd ? (hasEnd ? endBody(draft, formats) : { billing_cycles: 0 }) : {}),
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

/** After how many payments it ends, or from which day on there is none. */
export function EndFields<Draft extends EndDraft>({
  draft,
  onChange,
  error,
}: {
  draft: Draft
  onChange: (draft: Draft) => void
  error: AdminError | null
}) {
  const say = useText()
  return (
    <>
      <TextField
        optional
        label={say("ends.cycles")}
        hint={say("ends.cycles_hint")}
        fault={faultOf(error, "billing_cycles")}
        inputMode="numeric"
        value={draft.billing_cycles}
        onChange={(billing_cycles) => onChange({ ...draft, billing_cycles })}
      />
      <TextField
        optional
        label={say("ends.at")}
        hint={say("ends.at_hint")}
        fault={faultOf(error, "ends_at")}
        type="date"
        value={draft.ends_at}
        onChange={(ends_at) => onChange({ ...draft, ends_at })}
      />
    </>
  )
}

/** Changes the terms from the next cycle on. */
export const ChangeSubscription = ({ subscription }: { subscription: SubscriptionTimeline }) => {
  const say = useText()
  const formats = useFormats()
  const [form, setForm] = useState<{ opened: TermsDraft; draft: TermsDraft } | null>(null)
  const close = () => setForm(null)
  const save = useAdminMutation<object>(
    { path: () => `/subscriptions/${subscription.id}`, body: (change) => change },
    { done: () => say("subscriptions.changed"), onDone: close }
  )
  const start = () => {
    const opened = draftOf(subscription, formats)
    save.reset()
    setForm({ opened, draft: opened })
  }
  const edit = (draft: TermsDraft) => setForm((now) => now && { ...now, draft })
  const submit = ({ opened, draft }: { opened: TermsDraft; draft: TermsDraft }) => {
    const change = changeOf(draft, opened, formats)
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
            <EndFields draft={form.draft} onChange={edit} error={save.error} />
          </>
        )}
      </FormDrawer>
    </>
  )
}
