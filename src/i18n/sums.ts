import { moneyOfText } from "./formats"
import type { Language } from "./languages"

/** As `statedAmount` writes a sum into a sentence: "985.00" of taka, "985.00 USD" of another currency. */
const SUM = /^(-?\d+\.\d\d)(?: ([A-Z]{3}))?$/
const HOME = "BDT"
const HOME_SIGN = "৳"

/** What somebody has typed, and what it should look like: both are quoted as they are. */
const QUOTED: readonly string[] = ["value", "example"]
/** They limit a field, in whatever currency its form is, or say it themselves. */
const OF_FIELDS: readonly string[] = [
  "rule.min",
  "rule.max",
  "rule.within",
  "rule.more_than",
  "rule.amount_within",
  "rule.emi_minimum",
  "rule.emi_range",
]
/** Their sentences have the currency beside the sums. */
const WITH_CURRENCY: readonly string[] = ["rule.taka_within", "refusal.cart_amount", "refusal.plan_too_many"]

/**
 * A parameter of a sentence as pages print sums: "123456.00" as "৳1,23,456.00". What is no sum stays as it is. For people
 * alone: programs read the decimal text.
 */
export function sumText(kind: string, name: string, value: string, language: Language): string {
  const [, amount, currency = HOME] = SUM.exec(value) ?? []
  if (amount === undefined || QUOTED.includes(name) || WITH_CURRENCY.includes(kind)) {
    return value
  }
  const text = moneyOfText(amount, currency, language)
  return OF_FIELDS.includes(kind) ? text.replace(HOME_SIGN, "") : text
}
