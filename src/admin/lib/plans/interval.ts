import type { Unit } from "./types"

/** A billing interval as it stands in a form. */
export type IntervalDraft = { interval_count: string; interval_unit: Unit }

/** The typed value for the API: a number, or the text itself, which the API then refuses with the field's name. */
export function numberOf(text: string): number | string | undefined {
  const trimmed = text.trim()
  return trimmed === "" ? undefined : /^-?[0-9]{1,9}$/.test(trimmed) ? Number(trimmed) : trimmed
}
