import type { DataTableFilter } from "@medusajs/ui"
import type { Formats } from "../format"
import type { Say } from "../text"
import { localDay, presets } from "./presets"

type Option = { label: string; value: string }

/** A filter with several values at once. */
export function anyOf(id: string, label: string, options: Option[]): DataTableFilter {
  return { id, type: "select", label, options }
}

export function oneOf(id: string, label: string, options: Option[]): DataTableFilter {
  return { id, type: "radio", label, options }
}

/** Today (`useToday`), yesterday, this month, the last days, or from and to: days of Bangladesh. */
export function byDate(say: Say, { day }: Formats, now: Date): DataTableFilter {
  const { today, yesterday, month, last } = presets(now)
  return {
    id: "date",
    type: "date",
    label: say("table.date"),
    format: "date",
    rangeOptionLabel: say("table.custom"),
    rangeOptionStartLabel: say("table.from"),
    rangeOptionEndLabel: say("table.to"),
    formatDateValue: (value) => day(localDay(value)),
    options: [
      { label: say("table.today"), value: today },
      { label: say("table.yesterday"), value: yesterday },
      { label: say("table.month"), value: month },
      { label: say("table.days", { count: 7 }), value: last(7) },
      { label: say("table.days", { count: 30 }), value: last(30) },
      { label: say("table.days", { count: 90 }), value: last(90) },
    ],
  }
}
