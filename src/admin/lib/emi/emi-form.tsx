import { Input } from "@medusajs/ui"
import { useState, type HTMLAttributes } from "react"
import { changedMembers } from "../changed-members"
import { useAdminMutation } from "../data"
import type { AdminError } from "../http"
import { useText } from "../text"
import { Choice } from "../ui/choice"
import { faultOf, Field, FormDrawer } from "../ui/form"
import { OnOff } from "../ui/on-off"
import type { EmiConfiguration, EmiFeeType, EmiFields, EmiMethod } from "./types"

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
export function changeOf(draft: EmiDraft, opened: EmiDraft): object {
  return opened.id === null ? bodyOf(draft) : changedMembers(bodyOf(draft), bodyOf(opened))
}

type TextName =
  "bank_name" | "tenure" | "interest_rate" | "processing_fee" | "minimum_amount" | "maximum_amount" | "card_prefixes"

type FieldsProps = { draft: EmiDraft; change: (changes: Partial<EmiFields>) => void; error: AdminError | null }

type TextFieldProps = FieldsProps & {
  name: TextName
  label: string
  inputMode: HTMLAttributes<HTMLInputElement>["inputMode"]
  hint?: string
  optional?: boolean
}

const TextField = ({ draft, change, error, name, inputMode, ...field }: TextFieldProps) => (
  <Field {...field} fault={faultOf(error, name)}>
    {(tied) => (
      <Input
        {...tied}
        inputMode={inputMode}
        value={draft[name]}
        onChange={({ target }) => change({ [name]: target.value })}
      />
    )}
  </Field>
)

/** What the bank takes for the plan: interest and a fee. */
const CostFields = (props: FieldsProps) => {
  const { draft, change, error } = props
  const say = useText()
  return (
    <>
      <TextField {...props} name="interest_rate" label={say("emi.rate_percent")} inputMode="decimal" />
      <Field label={say("emi.method")} fault={faultOf(error, "interest_method")}>
        {(tied) => (
          <Choice<EmiMethod>
            tied={tied}
            value={draft.interest_method}
            onChange={(interest_method) => change({ interest_method })}
            options={(["flat", "reducing"] as const).map((value) => ({ value, label: say(`emi.methods.${value}`) }))}
          />
        )}
      </Field>
      <Field label={say("emi.fee_type")} fault={faultOf(error, "processing_fee_type")}>
        {(tied) => (
          <Choice<EmiFeeType>
            tied={tied}
            value={draft.processing_fee_type}
            onChange={(processing_fee_type) => change({ processing_fee_type })}
            options={(["fixed", "percent"] as const).map((value) => ({ value, label: say(`emi.fee_types.${value}`) }))}
          />
        )}
      </Field>
      <TextField {...props} name="processing_fee" label={say("emi.fee")} inputMode="decimal" />
    </>
  )
}

/** Which payments the plan is offered for. */
const ScopeFields = (props: FieldsProps) => {
  const say = useText()
  return (
    <>
      <TextField
        {...props}
        name="minimum_amount"
        label={say("emi.minimum")}
        hint={say("emi.minimum_hint")}
        inputMode="decimal"
      />
      <TextField {...props} name="maximum_amount" label={say("emi.maximum")} inputMode="decimal" />
      <TextField
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
      <TextField {...fields} name="bank_name" label={say("emi.bank")} inputMode="text" />
      <TextField {...fields} name="tenure" label={say("emi.tenure")} inputMode="numeric" />
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
