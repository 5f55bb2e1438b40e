import { Text } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import type { AdminError } from "../http"
import { amountFault } from "../refunds/draft"
import { useRequestKey } from "../request-key"
import { useText } from "../text"
import { ActButton, Ask } from "../ui/bits"
import { ChoiceField, entryOf, TextAreaField, TextField } from "../ui/fields"
import { faultOf, FormDrawer } from "../ui/form"
import { useConfirm } from "../ui/leaving"
import { useForbidden, useOpened } from "../use"
import { RECORD_FORM, type CashOrder, type CashOrderInFull } from "./parts"

type Draft = { amount: string; charge: string; courier: string; note: string }

const WRONG = { "refunds.amount_invalid": "refunds.amount_invalid", "refunds.amount_over": "cash.record.over" } as const

/** Cash of the same amount of an order is the same request, however the amount is written. */
function subjectOf(body: object): unknown {
  const { cash_order_id, amount } = body as { cash_order_id: string; amount: string }
  return ["cash", cash_order_id, Number(amount).toFixed(2)]
}

/** Sent again without an answer, it records nothing more. */
function useRecord({ id, currency }: CashOrder, onDone: () => void) {
  const say = useText()
  const { money } = useFormats()
  const key = useRequestKey(subjectOf)
  return useAdminMutation<Draft, { cash_order: CashOrderInFull }>(
    {
      path: () => `/cash-orders/${encodeURIComponent(id)}/collect`,
      body: ({ amount, charge, courier, note }) => ({
        cash_order_id: id,
        amount: amount.trim(),
        charge: charge.trim() || undefined,
        courier: courier.trim() || undefined,
        note: note.trim() || undefined,
      }),
      key,
    },
    {
      done: ({ cash_order: { collections } }) =>
        say("cash.record.done", { amount: money(collections[collections.length - 1].amount, currency) }),
      onDone,
    }
  )
}

/** Records cash of one order, whole or a part. */
export const RecordCash = ({ order }: { order: CashOrder }) => {
  const say = useText()
  const { money } = useFormats()
  const whole: Draft = { amount: order.due, charge: "", courier: "", note: "" }
  const [opened, open] = useOpened()
  const [draft, setDraft] = useState<Draft | null>(opened === RECORD_FORM ? whole : null)
  const [isChecked, setChecked] = useState(false)
  const close = () => {
    setDraft(null)
    if (opened === RECORD_FORM) {
      open(null)
    }
  }
  const record = useRecord(order, close)
  const wrong = draft === null ? undefined : amountFault(draft.amount, order.due)
  const due = money(order.due, order.currency)
  const start = () => {
    record.reset()
    setChecked(false)
    setDraft(whole)
  }
  const submit = () => {
    setChecked(true)
    if (draft !== null && wrong === undefined && !record.isPending) {
      record.mutate(draft)
    }
  }
  const entry = (name: keyof Draft) => entryOf(draft ?? whole, setDraft, name)
  const fault = isChecked && wrong !== undefined ? say(WRONG[wrong], { amount: due }) : faultOf(record.error, "amount")
  return (
    <>
      <ActButton area="cash-orders" onClick={start}>
        {say("cash.record.title")}
      </ActButton>
      <FormDrawer
        open={draft !== null}
        onClose={close}
        title={say("cash.record.title")}
        description={say("cash.record.at_most", { amount: due })}
        submit={say("cash.record.title")}
        area="cash-orders"
        pending={record.isPending}
        onSubmit={submit}
      >
        <TextField
          label={say("cash.record.amount")}
          hint={say("cash.record.amount_hint")}
          fault={fault}
          inputMode="decimal"
          {...entry("amount")}
        />
        <TextField
          optional
          label={say("cash.record.charge")}
          hint={say("cash.record.charge_hint")}
          fault={faultOf(record.error, "charge")}
          inputMode="decimal"
          {...entry("charge")}
        />
        <Hints error={record.error} courier={entry("courier")} note={entry("note")} />
      </FormDrawer>
    </>
  )
}

type Entry = ReturnType<typeof entryOf>
type HintsProps = { error: AdminError | null; courier?: Entry; note: Entry }

/** What may be kept with the money: who brought it, and a note. */
export const Hints = ({ error, courier, note }: HintsProps) => {
  const say = useText()
  return (
    <>
      {courier !== undefined && (
        <TextField optional label={say("cash.record.courier")} fault={faultOf(error, "courier")} {...courier} />
      )}
      <TextAreaField optional label={say("cash.record.note")} fault={faultOf(error, "note")} {...note} />
    </>
  )
}

type Advance = CashOrderInFull["refused_advance"]
const ADVANCES: readonly Advance[] = ["keep", "give_back"]

/** Ends an order: nobody took it at the door, or what was handed over is all that comes. */
export const EndOrder = ({ order }: { order: CashOrderInFull }) => {
  const say = useText()
  const { money } = useFormats()
  const confirm = useConfirm()
  // To give the advance back is to refund it.
  const mayNotRefund = useForbidden("refunds")
  const [draft, setDraft] = useState<{ advance: Advance; note: string } | null>(null)
  const isRefused = order.status === "due"
  const hasAdvance = isRefused && Number(order.advance) > 0
  const end = useAdminMutation<{ advance: Advance; note: string }>(
    {
      path: () => `/cash-orders/${encodeURIComponent(order.id)}/give-up`,
      body: ({ advance, note }) => ({ note: note.trim() || undefined, ...(hasAdvance ? { advance } : {}) }),
    },
    { done: () => say("cash.refuse.done"), onDone: () => setDraft(null) }
  )
  const sums = {
    amount: money(order.due, order.currency),
    advance: money(order.advance, order.currency),
    collected: money(order.collected, order.currency),
  }
  const forbidden = hasAdvance && draft?.advance === "give_back" ? mayNotRefund : undefined
  const title = say(isRefused ? "cash.refuse.title" : "cash.refuse.part_title")
  const submit = async () => {
    if (draft === null || end.isPending || forbidden !== undefined) {
      return
    }
    const description = say(hasAdvance ? `cash.refuse.sure_${draft.advance}` : "cash.refuse.sure_hint", sums)
    const asked = say("cash.refuse.sure", { number: order.order_number ?? order.id })
    if (await confirm({ title: asked, description, confirm: title, danger: true })) {
      end.mutate(draft)
    }
  }
  return (
    <>
      <ActButton
        area="cash-orders"
        variant="secondary"
        onClick={() => setDraft({ advance: order.refused_advance, note: "" })}
      >
        {title}
      </ActButton>
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={title}
        description={say(isRefused ? "cash.refuse.hint" : "cash.refuse.part_hint", sums)}
        submit={title}
        area="cash-orders"
        pending={end.isPending}
        onSubmit={() => void submit()}
      >
        {draft !== null && hasAdvance && (
          <ChoiceField
            label={say("cash.refuse.advance", { amount: sums.advance })}
            hint={say("cash.refuse.rule", { choice: say(`cash.refuse.advances.${order.refused_advance}`) })}
            fault={forbidden ?? faultOf(end.error, "advance")}
            value={draft.advance}
            options={ADVANCES.map((value) => ({ value, label: say(`cash.refuse.advances.${value}`) }))}
            onChange={(advance) => setDraft({ ...draft, advance })}
          />
        )}
        {draft !== null && (
          <Hints error={end.error} note={{ value: draft.note, onChange: (note) => setDraft({ ...draft, note }) }} />
        )}
      </FormDrawer>
    </>
  )
}

/** What an admin decides about an order that could not be written in Medusa: once more, or it was written by hand. */
export const DecideStuck = ({ order: { id, stuck_since } }: { order: CashOrder }) => {
  const say = useText()
  const { time } = useFormats()
  const path = () => `/cash-orders/${encodeURIComponent(id)}/decide`
  const retry = useAdminMutation<void, { cash_order: CashOrderInFull }>(
    { path, body: () => ({ decision: "retry" }) },
    { done: ({ cash_order }) => say(cash_order.last_error === null ? "cash.retry_done" : "cash.retry_failed") }
  )
  const leave = useAdminMutation<void>(
    { path, body: () => ({ decision: "leave" }) },
    { done: () => say("cash.leave_done") }
  )
  if (stuck_since === null) {
    return null
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-4">
      <Text size="small">{say("cash.stuck_since", { time: time(stuck_since) })}</Text>
      <div className="flex flex-wrap gap-2">
        <Ask
          area="cash-orders"
          label={say("cash.leave")}
          title={say("cash.leave_title")}
          text={say("cash.leave_hint")}
          pending={leave.isPending}
          act={() => leave.mutate()}
        />
        <ActButton area="cash-orders" isLoading={retry.isPending} onClick={() => retry.mutate()}>
          {say("cash.retry")}
        </ActButton>
      </div>
    </div>
  )
}
