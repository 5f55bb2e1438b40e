import { Button, Input, Textarea } from "@medusajs/ui"
import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import { useText } from "../text"
import { faultOf, Field, FormModal } from "../ui/form"
import { useConfirm } from "../ui/use-confirm"
import { useBalance } from "./balance"

type Draft = { amount: string; reference: string; note: string }
const EMPTY: Draft = { amount: "", reference: "", note: "" }

/** Records a bank transfer to the merchant. */
export const RecordPayout = () => {
  const say = useText()
  const { money } = useFormats()
  const confirm = useConfirm()
  const { data } = useBalance()
  const [draft, setDraft] = useState<Draft | null>(null)
  const record = useAdminMutation<Draft>(
    {
      path: () => "/payouts",
      body: ({ amount, reference, note }) => ({
        amount: amount.trim(),
        reference: reference.trim(),
        note: note.trim() || undefined,
      }),
    },
    { done: () => say("payouts.done"), onDone: () => setDraft(null) }
  )
  const currency = data?.balance.currency ?? "BDT"
  const submit = async (wanted: Draft) => {
    const title = Number.isFinite(Number(wanted.amount))
      ? say("payouts.record_title", { amount: money(wanted.amount, currency) })
      : say("payouts.record")
    if (
      !record.isPending &&
      (await confirm({ title, description: say("payouts.record_sure"), confirm: say("payouts.record"), danger: false }))
    ) {
      record.mutate(wanted)
    }
  }
  const given = draft ?? EMPTY
  const change = (changes: Partial<Draft>) => setDraft({ ...given, ...changes })
  return (
    <>
      <Button size="small" onClick={() => setDraft(EMPTY)}>
        {say("payouts.record")}
      </Button>
      <FormModal
        open={draft !== null}
        onClose={() => {
          record.reset()
          setDraft(null)
        }}
        title={say("payouts.record")}
        description={say("payouts.record_hint")}
        submit={say("payouts.record")}
        pending={record.isPending}
        onSubmit={() => void submit(given)}
      >
        <Field
          label={say("payments.amount")}
          hint={data && say("payouts.at_most", { amount: money(data.balance.available, currency) })}
          fault={faultOf(record.error, "amount")}
        >
          {(tied) => (
            <Input
              {...tied}
              autoFocus
              inputMode="decimal"
              value={given.amount}
              onChange={({ target }) => change({ amount: target.value })}
            />
          )}
        </Field>
        <Field
          label={say("payouts.reference")}
          hint={say("payouts.reference_hint")}
          fault={faultOf(record.error, "reference")}
        >
          {(tied) => (
            <Input {...tied} value={given.reference} onChange={({ target }) => change({ reference: target.value })} />
          )}
        </Field>
        <Field optional label={say("payouts.note")} fault={faultOf(record.error, "note")}>
          {(tied) => (
            <Textarea {...tied} value={given.note} onChange={({ target }) => change({ note: target.value })} />
          )}
        </Field>
      </FormModal>
    </>
  )
}
