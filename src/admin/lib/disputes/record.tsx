import { useState } from "react"
import { useNavigate } from "react-router-dom"
import { useAdminMutation } from "../data"
import { type Formats, useFormats } from "../format"
import type { AdminError } from "../http"
import { useText } from "../text"
import { ActButton, OnOff } from "../ui/bits"
import { ChoiceField, TextAreaField, TextField, entryOf } from "../ui/fields"
import { faultOf, FormModal } from "../ui/form"
import { REASONS, type Reason, type WholeDispute } from "./types"

type Draft = {
  transaction_id: string
  reference: string
  amount: string
  fee: string
  reason: Reason
  isInquiry: boolean
  opened: string
  due: string
  note: string
}

function bodyOf(draft: Draft, { startOf, endOf }: Formats) {
  const { transaction_id, reference, amount, fee, reason, isInquiry, opened, due, note } = draft
  return {
    transaction_id: transaction_id.trim(),
    reference: reference.trim(),
    amount: amount.trim(),
    fee: fee.trim(),
    reason,
    is_inquiry: isInquiry,
    opened_at: opened === "" ? undefined : startOf(opened),
    due_by: due === "" ? undefined : endOf(due),
    note: note.trim(),
  }
}

/** Records what a bank's letter says; `transaction_id`: of the payment on whose page the form is. */
export const RecordDispute = ({ transaction_id = "" }: { transaction_id?: string }) => {
  const say = useText()
  const navigate = useNavigate()
  const [draft, setDraft] = useState<Draft | null>(null)
  const formats = useFormats()
  const record = useAdminMutation<Draft, { dispute: WholeDispute }>(
    { path: () => "/disputes", body: (draft) => bodyOf(draft, formats) },
    {
      done: () => say("disputes.recorded"),
      onDone: ({ dispute }) => {
        setDraft(null)
        void navigate(`/gateway/disputes/${dispute.id}`)
      },
    }
  )
  const empty: Draft = {
    transaction_id,
    reference: "",
    amount: "",
    fee: "",
    reason: "general",
    isInquiry: false,
    opened: "",
    due: "",
    note: "",
  }
  return (
    <>
      <ActButton area="disputes" variant="secondary" onClick={() => setDraft(empty)}>
        {say("disputes.record")}
      </ActButton>
      <FormModal
        open={draft !== null}
        onClose={() => {
          record.reset()
          setDraft(null)
        }}
        title={say("disputes.record")}
        description={say("disputes.record_hint")}
        submit={say("disputes.record")}
        pending={record.isPending}
        onSubmit={() => draft !== null && record.mutate(draft)}
      >
        {draft !== null && (
          <Fields draft={draft} onChange={setDraft} error={record.error} isFixed={transaction_id !== ""} />
        )}
      </FormModal>
    </>
  )
}

type FieldsProps = { draft: Draft; onChange: (draft: Draft) => void; error: AdminError | null; isFixed: boolean }

const Fields = ({ draft, onChange, error, isFixed }: FieldsProps) => {
  const say = useText()
  const typed = (name: "transaction_id" | "reference" | "note") => entryOf(draft, onChange, name)
  return (
    <>
      {!isFixed && (
        <TextField
          label={say("payments.transaction")}
          fault={faultOf(error, "transaction_id")}
          {...typed("transaction_id")}
        />
      )}
      <TextField
        label={say("disputes.reference")}
        hint={say("disputes.reference_hint")}
        fault={faultOf(error, "reference")}
        autoFocus={isFixed}
        {...typed("reference")}
      />
      <ChoiceField
        label={say("disputes.reason")}
        fault={faultOf(error, "reason")}
        value={draft.reason}
        options={REASONS.map((value) => ({ value, label: say(`disputes.reasons.${value}`) }))}
        onChange={(reason) => onChange({ ...draft, reason })}
      />
      <AmountsAndDates draft={draft} onChange={onChange} error={error} />
      <TextAreaField
        optional
        label={say("payouts.note")}
        fault={faultOf(error, "note")}
        maxLength={500}
        {...typed("note")}
      />
      <OnOff
        label={say("disputes.is_inquiry")}
        on={draft.isInquiry}
        onChange={(isInquiry) => onChange({ ...draft, isInquiry })}
      />
    </>
  )
}

const AmountsAndDates = ({ draft, onChange, error }: Omit<FieldsProps, "isFixed">) => {
  const say = useText()
  const typed = (name: "amount" | "fee" | "opened" | "due") => entryOf(draft, onChange, name)
  return (
    <>
      <TextField
        optional
        label={say("payments.amount")}
        hint={say("disputes.amount_hint")}
        fault={faultOf(error, "amount")}
        inputMode="decimal"
        {...typed("amount")}
      />
      <TextField
        optional
        label={say("disputes.fee")}
        hint={say("disputes.fee_hint")}
        fault={faultOf(error, "fee")}
        inputMode="decimal"
        {...typed("fee")}
      />
      <TextField
        optional
        label={say("disputes.opened")}
        hint={say("disputes.opened_hint")}
        fault={faultOf(error, "opened_at")}
        type="date"
        {...typed("opened")}
      />
      <TextField
        optional
        label={say("disputes.due")}
        hint={say("disputes.due_hint")}
        fault={faultOf(error, "due_by")}
        type="date"
        {...typed("due")}
      />
    </>
  )
}
