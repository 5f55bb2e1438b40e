import { Input } from "@medusajs/ui"
import type { HTMLAttributes } from "react"
import { useAdminMutation } from "../data"
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

/** An empty list of prefixes must be sent: members that are left out of a change stay as they are. */
function bodyOf(draft: EmiDraft): object {
  const card_prefixes = draft.card_prefixes.split(/\s+/).filter(Boolean)
  return { ...draft, id: undefined, card_prefixes }
}

type Props = { draft: EmiDraft; onChange: (draft: EmiDraft | null) => void }

export const EmiForm = ({ draft, onChange }: Props) => {
  const say = useText()
  const save = useAdminMutation<EmiDraft>(
    { path: ({ id }) => (id === null ? "/emi" : `/emi/${id}`), body: bodyOf },
    { done: () => say("emi.saved"), onDone: () => onChange(null) }
  )
  const change = (changes: Partial<EmiFields>) => onChange({ ...draft, ...changes })
  const text = (
    name:
      | "bank_name"
      | "tenure"
      | "interest_rate"
      | "processing_fee"
      | "minimum_amount"
      | "maximum_amount"
      | "card_prefixes",
    inputMode: HTMLAttributes<HTMLInputElement>["inputMode"]
  ) =>
    function TextInput(tied: { id: string }) {
      return (
        <Input
          {...tied}
          inputMode={inputMode}
          value={draft[name]}
          onChange={({ target }) => change({ [name]: target.value })}
        />
      )
    }
  return (
    <FormDrawer
      open
      onClose={() => onChange(null)}
      title={say(draft.id === null ? "emi.add" : "emi.edit")}
      submit={say("common.save")}
      pending={save.isPending}
      onSubmit={() => save.mutate(draft)}
    >
      <Field label={say("emi.bank")} fault={faultOf(save.error, "bank_name")}>
        {text("bank_name", "text")}
      </Field>
      <Field label={say("emi.tenure")} fault={faultOf(save.error, "tenure")}>
        {text("tenure", "numeric")}
      </Field>
      <Field label={say("emi.rate_percent")} fault={faultOf(save.error, "interest_rate")}>
        {text("interest_rate", "decimal")}
      </Field>
      <Field label={say("emi.method")} fault={faultOf(save.error, "interest_method")}>
        {(tied) => (
          <Choice<EmiMethod>
            tied={tied}
            value={draft.interest_method}
            onChange={(interest_method) => change({ interest_method })}
            options={(["flat", "reducing"] as const).map((value) => ({ value, label: say(`emi.methods.${value}`) }))}
          />
        )}
      </Field>
      <Field label={say("emi.fee_type")} fault={faultOf(save.error, "processing_fee_type")}>
        {(tied) => (
          <Choice<EmiFeeType>
            tied={tied}
            value={draft.processing_fee_type}
            onChange={(processing_fee_type) => change({ processing_fee_type })}
            options={(["fixed", "percent"] as const).map((value) => ({ value, label: say(`emi.fee_types.${value}`) }))}
          />
        )}
      </Field>
      <Field label={say("emi.fee")} fault={faultOf(save.error, "processing_fee")}>
        {text("processing_fee", "decimal")}
      </Field>
      <Field label={say("emi.minimum")} hint={say("emi.minimum_hint")} fault={faultOf(save.error, "minimum_amount")}>
        {text("minimum_amount", "decimal")}
      </Field>
      <Field label={say("emi.maximum")} fault={faultOf(save.error, "maximum_amount")}>
        {text("maximum_amount", "decimal")}
      </Field>
      <Field
        optional
        label={say("emi.prefixes")}
        hint={say("emi.prefixes_hint")}
        fault={faultOf(save.error, "card_prefixes")}
      >
        {text("card_prefixes", "text")}
      </Field>
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
