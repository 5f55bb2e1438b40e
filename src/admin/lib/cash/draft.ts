import { typedNumber } from "../../../i18n/typed"
import type { presentCashSettings } from "../../../api/admin/gateway/cash-settings/resource"
import type { Json } from "../http"

export type CashSettings = Json<ReturnType<typeof presentCashSettings>>
export type Rule = CashSettings["rules"][number]
export type RuleDraft = Record<Exclude<keyof Rule, "advance">, string> & { advance: Rule["advance"]; key: number }
export type Draft = Pick<CashSettings, "refused_advance"> & { rules: RuleDraft[]; late_after_days: string }

/** The conditions of a rule besides the districts: sums in BDT, and how many earlier orders of the same phone. */
export const CONDITIONS = [
  ["total_from", "decimal"],
  ["total_to", "decimal"],
  ["delivered_from", "numeric"],
  ["delivered_to", "numeric"],
  ["refused_from", "numeric"],
] as const
const TEXTS = ["amount", "percent", ...CONDITIONS.map(([name]) => name)] as const

/** Draws a rule's fields again as their own when rules above it are moved or removed. */
let lastKey = 0

export function ruleDraft(rule?: Rule): RuleDraft {
  lastKey += 1
  const texts = Object.fromEntries(TEXTS.map((name) => [name, String(rule?.[name] ?? "")]))
  return {
    ...(texts as Record<(typeof TEXTS)[number], string>),
    key: lastKey,
    advance: rule?.advance ?? "delivery",
    districts: (rule?.districts ?? []).join(", "),
  }
}

function ruleBody({ advance, amount, percent, districts, ...draft }: RuleDraft) {
  const names = districts
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  const conditions = CONDITIONS.map(([name, kind]) => {
    const text = draft[name].trim()
    return [name, text === "" ? undefined : kind === "numeric" ? typedNumber(text) : text]
  })
  return {
    advance,
    amount: advance === "fixed" ? amount.trim() : undefined,
    percent: advance === "percent" ? percent.trim() : undefined,
    districts: names.length > 0 ? names : undefined,
    ...Object.fromEntries(conditions),
  }
}

/** Rules have an order, so all of them are sent when one has changed. */
export function changeOf(draft: Draft, opened: Draft): object {
  const body = ({ rules, late_after_days, refused_advance }: Draft) => ({
    rules: rules.map(ruleBody),
    late_after_days: typedNumber(late_after_days) ?? 0,
    refused_advance,
  })
  const before: Record<string, unknown> = body(opened)
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name])
  return Object.fromEntries(Object.entries(body(draft)).filter(isChanged))
}

/** Whether a rule may ask for more of an order in advance than the guidelines take for granted. */
export function mayExceed({ advance, percent }: Pick<Rule, "advance" | "percent">, noted: string): boolean {
  return advance === "fixed" || advance === "delivery" || (advance === "percent" && Number(percent) > Number(noted))
}
