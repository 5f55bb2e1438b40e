import { Input, Select } from "@medusajs/ui"
import type { AdminError } from "../http"
import { useText } from "../text"
import { faultOf, Field } from "../ui/form"
import type { IntervalDraft } from "./interval"
import { UNITS, type Unit } from "./types"

type Props<Draft> = { draft: Draft; onChange: (draft: Draft) => void; error: AdminError | null }

/** The fields of a billing interval. */
export function IntervalFields<Draft extends IntervalDraft>({ draft, onChange, error }: Props<Draft>) {
  const say = useText()
  return (
    <div className="grid grid-cols-2 items-start gap-4">
      <Field label={say("plans.interval_count")} fault={faultOf(error, "interval_count")}>
        {(tied) => (
          <Input
            {...tied}
            inputMode="numeric"
            value={draft.interval_count}
            onChange={({ target }) => onChange({ ...draft, interval_count: target.value })}
          />
        )}
      </Field>
      <Field label={say("plans.interval_unit")} fault={faultOf(error, "interval_unit")}>
        {(tied) => (
          <Select
            value={draft.interval_unit}
            onValueChange={(unit) => onChange({ ...draft, interval_unit: unit as Unit })}
          >
            <Select.Trigger {...tied}>
              <Select.Value />
            </Select.Trigger>
            <Select.Content>
              {UNITS.map((unit) => (
                <Select.Item key={unit} value={unit}>
                  {say(`plans.units.${unit}`)}
                </Select.Item>
              ))}
            </Select.Content>
          </Select>
        )}
      </Field>
    </div>
  )
}
