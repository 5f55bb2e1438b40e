import type { Formats } from "../format"
import type { Say } from "../text"

export type Unit = "DAY" | "WEEK" | "MONTH" | "YEAR"
export const UNITS: readonly Unit[] = ["DAY", "WEEK", "MONTH", "YEAR"]

export type Terms = { amount: string; currency: string; interval_count: number; interval_unit: Unit }
export type Plan = Terms & {
  id: string
  number: number
  plan_name: string
  plan_description: string | null
  trial_period_days: number | null
  trial_amount: string | null
  meta_data: Record<string, unknown>
  is_active: boolean
  created_at: string
}

/** `every month`, `every 2 weeks` */
export function everyText(
  say: Say,
  { interval_count, interval_unit }: Pick<Terms, "interval_count" | "interval_unit">
): string {
  return say(`plans.every.${interval_unit}`, { count: interval_count })
}

export function trialText(say: Say, { money }: Formats, { trial_period_days, trial_amount, currency }: Plan): string {
  const count = trial_period_days ?? 0
  if (count === 0) {
    return say("plans.trial_none")
  }
  return trial_amount === null
    ? say("plans.trial_free", { count })
    : say("plans.trial_paid", { count, amount: money(trial_amount, currency) })
}
