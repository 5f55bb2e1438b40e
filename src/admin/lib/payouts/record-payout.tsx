import { useState } from "react"
import { useAdminMutation } from "../data"
import { useFormats } from "../format"
import type { AdminError } from "../http"
import { useText } from "../text"
import { ActButton } from "../ui/bits"
import { faultOf, FormModal } from "../ui/form"
import { TextAreaField, TextField } from "../ui/fields"
import { useConfirm } from "../ui/leaving"
import { CurrencyField, useBalance } from "./parts"

type Draft = Record<
  "amount" | "currency" | "reference" | "note" | "transferred_on" | "period_from" | "period_to",
  string
>
const EMPTY: Draft = {
  amount: "",
  currency: "BDT",
  reference: "",
  note: "",
  transferred_on: "",
  period_from: "",
  period_to: "",
}

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
      body: ({ amount, currency, reference, note, transferred_on, period_from, period_to }) => ({
        amount: amount.trim(),
        currency,
        reference: reference.trim(),
        note: note.trim() || undefined,
        transferred_on: transferred_on || undefined,
        period_from: period_from || undefined,
        period_to: period_to || undefined,
      }),
    },
    { done: () => say("payouts.done"), onDone: () => setDraft(null) }
  )
  const submit = async (wanted: Draft) => {
    const amount = money(wanted.amount.trim(), wanted.currency)
    const asked = {
      title: say("payouts.record_title", { amount }),
      description: say("payouts.record_sure"),
      confirm: say("payouts.record"),
      danger: false,
    }
    // What is missing is refused at once: nobody is asked about a payout that cannot be made.
    const isWhole = Number(wanted.amount) > 0 && wanted.reference.trim() !== ""
    if (!record.isPending && (!isWhole || (await confirm(asked)))) {
      record.mutate(wanted)
    }
  }
  const given = draft ?? EMPTY
  const balance = data?.balances.find(({ currency }) => currency === given.currency)
  return (
    <>
      <ActButton area="payouts" onClick={() => setDraft(EMPTY)}>
        {say("payouts.record")}
      </ActButton>
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
        <PayoutFields
          draft={given}
          onChange={setDraft}
          error={record.error}
          available={balance && money(balance.available, balance.currency)}
        />
      </FormModal>
    </>
  )
}

type FieldsProps = { draft: Draft; onChange: (draft: Draft) => void; error: AdminError | null; available?: string }

const PayoutFields = ({ draft, onChange, error, available }: FieldsProps) => {
  const say = useText()
  const change = (changes: Partial<Draft>) => onChange({ ...draft, ...changes })
  return (
    <>
      <CurrencyField value={draft.currency} onChange={(currency) => change({ currency })} error={error} />
      <TextField
        label={say("payments.amount")}
        hint={available === undefined ? undefined : say("payouts.at_most", { amount: available })}
        fault={faultOf(error, "amount")}
        autoFocus
        inputMode="decimal"
        value={draft.amount}
        onChange={(amount) => change({ amount })}
      />
      <TextField
        label={say("payouts.reference")}
        hint={say("payouts.reference_hint")}
        fault={faultOf(error, "reference")}
        value={draft.reference}
        onChange={(reference) => change({ reference })}
      />
      {(["transferred_on", "period_from", "period_to"] as const).map((name) => (
        <TextField
          key={name}
          optional
          label={say(name === "transferred_on" ? "payouts.transferred" : `payouts.${name}`)}
          hint={
            name === "period_from" ? undefined : say(`payouts.${name === "period_to" ? "period" : "transferred"}_hint`)
          }
          fault={faultOf(error, name)}
          type="date"
          value={draft[name]}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
      <TextAreaField
        optional
        label={say("payouts.note")}
        fault={faultOf(error, "note")}
        value={draft.note}
        onChange={(note) => change({ note })}
      />
    </>
  )
}
