import { Input, Textarea } from "@medusajs/ui"
import type { ComponentProps } from "react"
import { Field, type FieldTexts } from "./form"

type Entry = { value: string; onChange: (value: string) => void }

/** A member of a draft as the `value` and `onChange` of its field. */
export function entryOf<Name extends string, Draft extends Record<Name, string>>(
  draft: Draft,
  onChange: (draft: Draft) => void,
  name: Name
): Entry {
  return { value: draft[name], onChange: (value) => onChange({ ...draft, [name]: value }) }
}

/** A line of text with its label, hint and error. */
export const TextField = ({
  label,
  hint,
  fault,
  optional,
  onChange,
  ...input
}: FieldTexts & Entry & Omit<ComponentProps<typeof Input>, keyof Entry>) => (
  <Field label={label} hint={hint} fault={fault} optional={optional}>
    {(tied) => <Input {...tied} {...input} onChange={({ target }) => onChange(target.value)} />}
  </Field>
)

/** Several lines of text with their label, hint and error. */
export const TextAreaField = ({
  label,
  hint,
  fault,
  optional,
  onChange,
  ...input
}: FieldTexts & Entry & Omit<ComponentProps<typeof Textarea>, keyof Entry>) => (
  <Field label={label} hint={hint} fault={fault} optional={optional}>
    {(tied) => <Textarea {...tied} {...input} onChange={({ target }) => onChange(target.value)} />}
  </Field>
)
