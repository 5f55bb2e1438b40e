import type { AdminError } from "../http"
import { useText } from "../text"
import { ChoiceField } from "../ui/choice-field"
import { faultOf } from "../ui/form"
import { TextField } from "../ui/text-field"
import type { IntervalDraft } from "./interval"
import { UNITS } from "./types"

type Props<Draft> = { draft: Draft; onChange: (draft: Draft) => void; error: AdminError | null }

/** The fields of a billing interval. */
export function IntervalFields<Draft extends IntervalDraft>({ draft, onChange, error }: Props<Draft>) {
  const say = useText()
  return (
    <div className="grid grid-cols-2 items-start gap-4">
      <TextField
        label={say("plans.interval_count")}
        fault={faultOf(error, "interval_count")}
        inputMode="numeric"
        value={draft.interval_count}
        onChange={(interval_count) => onChange({ ...draft, interval_count })}
      />
      <ChoiceField
        label={say("plans.interval_unit")}
        fault={faultOf(error, "interval_unit")}
        value={draft.interval_unit}
        options={UNITS.map((unit) => ({ value: unit, label: say(`plans.units.${unit}`) }))}
        onChange={(interval_unit) => onChange({ ...draft, interval_unit })}
      />
    </div>
  )
}
