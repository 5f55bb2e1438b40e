import { Select } from "@medusajs/ui"

type Tied = { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean }
type Props<Value extends string> = {
  tied: Tied
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** A select for one of several values; inside a `Field`. */
export function Choice<Value extends string>({ tied, value, options, onChange }: Props<Value>) {
  return (
    <Select value={value} onValueChange={(next) => onChange(next as Value)}>
      <Select.Trigger {...tied}>
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
  )
}
