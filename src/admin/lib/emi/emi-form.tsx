import { useState, type HTMLAttributes } from "react"
import { changedMembers } from "../use"
import { useAdminMutation } from "../data"
import type { AdminError } from "../http"
import { useText } from "../text"
import { ChoiceField, TextField } from "../ui/fields"
import { faultOf, FormDrawer } from "../ui/form"
import { OnOff } from "../ui/bits"
import type { EmiConfiguration, EmiFields } from "./row-actions"

/** `id` is null for a new configuration. */
export type EmiDraft = EmiFields & { id: string | null }

export const NEW_EMI: EmiDraft = {
  id: null,
  bank_name: "",
  tenure: "",
  interest_rate: "",
  interest_method: "flat",
  processing_fee_type: "fixed",
  processing_fee: "0.00",
  minimum_amount: "3000.00",
  maximum_amount: "500000.00",
  is_active: true,
  merchant_bleeding: false,
  card_prefixes: "",
}

export function draftOf(configuration: EmiConfiguration): EmiDraft {
  const { id, tenure, card_prefixes, bank_name, interest_rate, interest_method, processing_fee_type, processing_fee } =
    configuration
  const { minimum_amount, maximum_amount, is_active, merchant_bleeding } = configuration
  return {
    id,
    bank_name,
    interest_rate,
    interest_method,
    processing_fee_type,
    processing_fee,
    minimum_amount,
    maximum_amount,
    is_active,
    merchant_bleeding,
    tenure: String(tenure),
    card_prefixes: card_prefixes.join(" "),
  }
}

function bodyOf({ id: _id, ...draft }: EmiDraft) {
  return { ...draft, card_prefixes: draft.card_prefixes.split(/\s+/).filter(Boolean) }
}

/** A new configuration, or what the admin has changed of one since the form was opened, and nothing else. */
function changeOf(draft: EmiDraft, opened: EmiDraft): object {
  return opened.id === null ? bodyOf(draft) : changedMembers(bodyOf(draft), bodyOf(opened))
}

type TextName =
  "bank_name" | "tenure" | "interest_rate" | "processing_fee" | "minimum_amount" | "maximum_amount" | "card_prefixes"

type FieldsProps = { draft: EmiDraft; change: (changes: Partial<EmiFields>) => void; error: AdminError | null }

type EmiFieldProps = FieldsProps & {
  name: TextName
  label: string
  inputMode: HTMLAttributes<HTMLInputElement>["inputMode"]
  hint?: string
  optional?: boolean
}

const EmiField = ({ draft, change, error, name, inputMode, ...field }: EmiFieldProps) => (
  <TextField
    {...field}
    fault={faultOf(error, name)}
    inputMode={inputMode}
    value={draft[name]}
    onChange={(value) => change({ [name]: value })}
  />
)

/** What the bank takes for the plan: interest and a fee. */
const CostFields = (props: FieldsProps) => {
  const { draft, change, error } = props
  const say = useText()
  return (
    <>
      <EmiField {...props} name="interest_rate" label={say("emi.rate_percent")} inputMode="decimal" />
      <ChoiceField
        label={say("emi.method")}
        fault={faultOf(error, "interest_method")}
        value={draft.interest_method}
        onChange={(interest_method) => change({ interest_method })}
        options={(["flat", "reducing"] as const).map((value) => ({ value, label: say(`emi.methods.${value}`) }))}
      />
      <ChoiceField
        label={say("emi.fee_type")}
        fault={faultOf(error, "processing_fee_type")}
        value={draft.processing_fee_type}
        onChange={(processing_fee_type) => change({ processing_fee_type })}
        options={(["fixed", "percent"] as const).map((value) => ({ value, label: say(`emi.fee_types.${value}`) }))}
      />
      <EmiField {...props} name="processing_fee" label={say("emi.fee")} inputMode="decimal" />
    </>
  )
}

/** Which payments the plan is offered for. */
const ScopeFields = (props: FieldsProps) => {
  const say = useText()
  return (
    <>
      <EmiField
        {...props}
        name="minimum_amount"
        label={say("emi.minimum")}
        hint={say("emi.minimum_hint")}
        inputMode="decimal"
      />
      <EmiField {...props} name="maximum_amount" label={say("emi.maximum")} inputMode="decimal" />
      <EmiField
        {...props}
        optional
        name="card_prefixes"
        label={say("emi.prefixes")}
        hint={say("emi.prefixes_hint")}
        inputMode="text"
      />
    </>
  )
}

type Props = { opened: EmiDraft; onClose: () => void }

export const EmiForm = ({ opened, onClose }: Props) => {
  const say = useText()
  const [draft, setDraft] = useState(opened)
  const { id } = opened
  const save = useAdminMutation<object>(
    { path: () => (id === null ? "/emi" : `/emi/${id}`), body: (change) => change },
    { done: () => say("emi.saved"), onDone: onClose }
  )
  const submit = () => {
    const body = changeOf(draft, opened)
    return Object.keys(body).length === 0 ? onClose() : save.mutate(body)
  }
  const change = (changes: Partial<EmiFields>) => setDraft((now) => ({ ...now, ...changes }))
  const fields = { draft, change, error: save.error }
  return (
    <FormDrawer
      open
      onClose={onClose}
      title={say(id === null ? "emi.add" : "emi.edit")}
      submit={say("common.save")}
      area="emi"
      pending={save.isPending}
      onSubmit={submit}
    >
      <EmiField {...fields} name="bank_name" label={say("emi.bank")} inputMode="text" />
      <EmiField {...fields} name="tenure" label={say("emi.tenure")} inputMode="numeric" />
      <CostFields {...fields} />
      <ScopeFields {...fields} />
      <OnOff
        label={say("emi.absorbs")}
        hint={say("emi.absorbs_hint")}
        on={draft.merchant_bleeding}
        onChange={(merchant_bleeding) => change({ merchant_bleeding })}
      />
      <OnOff label={say("emi.active")} on={draft.is_active} onChange={(is_active) => change({ is_active })} />
    </FormDrawer>
  )
}
