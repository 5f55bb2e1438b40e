import { Select } from "@medusajs/ui"
import { Field, type FieldTexts } from "./form"

type Props<Value extends string> = FieldTexts & {
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  /** Of the select, such as its width. */
  className?: string
}

/** A select for one of several values, with its label, hint and error. */
export function ChoiceField<Value extends string>({ value, options, onChange, className, ...texts }: Props<Value>) {
  return (
    <Field {...texts}>
      {(tied) => (
        <Select value={value} onValueChange={(next) => onChange(next as Value)}>
          <Select.Trigger {...tied} className={className}>
            <Select.Value />
          </Select.Trigger>
          <Select.Content>
            {options.map((option) => (
              <Select.Item key={option.value} value={option.value}>
                {option.label}
              </Select.Item>
            ))}
          </Select.Content>
        </Select>
      )}
    </Field>
  )
}
