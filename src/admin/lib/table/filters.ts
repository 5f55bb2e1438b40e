import type { DataTableFilter } from "@medusajs/ui"
import type { Formats } from "../format"
import type { Say } from "../text"

type Option = { label: string; value: string }

/** A filter with several values at once. */
export function anyOf(id: string, label: string, options: Option[]): DataTableFilter {
  return { id, type: "select", label, options }
}

export function oneOf(id: string, label: string, options: Option[]): DataTableFilter {
  return { id, type: "radio", label, options }
}

/** Today, the last days, or from and to. Days begin at midnight in the admin's time zone. */
export function byDate(say: Say, { date }: Formats, now = new Date()): DataTableFilter {
  const daysAgo = (days: number) => ({
    $gte: new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString(),
  })
  return {
    id: "date",
    type: "date",
    label: say("table.date"),
    format: "date",
    rangeOptionLabel: say("table.custom"),
    rangeOptionStartLabel: say("table.from"),
    rangeOptionEndLabel: say("table.to"),
    formatDateValue: (value) => date(value.toISOString()),
    options: [
      { label: say("table.today"), value: daysAgo(0) },
      { label: say("table.days", { count: 7 }), value: daysAgo(7) },
      { label: say("table.days", { count: 30 }), value: daysAgo(30) },
      { label: say("table.days", { count: 90 }), value: daysAgo(90) },
    ],
  }
}
