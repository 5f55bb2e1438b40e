import { messageOf, type Message } from "../../../i18n/message"
import type { Sql } from "../kernel/database/database"
import type { Done } from "../acquirers/port"

/** What the shopper has agreed to. */
type ChosenPlan = { tenure_months: number; bank_name: string }
type Granted = Done["instalments"]

/** What banks call themselves besides their name. */
const LEGAL_FORM = /^(the|bank|ltd|limited|plc|co|company|bd|bangladesh)$/

/**
 * How the bank's instalments differ from the chosen ones; empty: they do not, or the acquirer does not report them. The
 * money is the same, so the payment is not held.
 */
export function instalmentDifferences(chosen: ChosenPlan | null, granted: Granted): Message[] {
  if (granted === undefined) {
    return []
  }
  const { months, bank_name } = granted
  if (chosen === null) {
    return months === 0 ? [] : [messageOf("instalments.not_chosen", { months })]
  }
  if (months === 0) {
    return [messageOf("instalments.not_granted", { months: chosen.tenure_months })]
  }
  return [
    ...(months === chosen.tenure_months
      ? []
      : [messageOf("instalments.other_months", { chosen: chosen.tenure_months, granted: months })]),
    ...(bank_name === null || isSameBank(chosen.bank_name, bank_name)
      ? []
      : [messageOf("instalments.other_bank", { chosen: chosen.bank_name, granted: bank_name })]),
  ]
}

/** The plan that an attempt was made with, compared with what the acquirer says; asks nothing when it says nothing. */
export async function compareInstalments(sql: Sql, attempt_id: string, granted: Granted): Promise<Message[]> {
  if (granted === undefined) {
    return []
  }
  const [chosen] = await sql.query<ChosenPlan>(
    "SELECT tenure_months, bank_name FROM gateway_emi_plan WHERE attempt_id = $1",
    [attempt_id]
  )
  return instalmentDifferences(chosen ?? null, granted)
}

/** `BRAC Bank` is `BRAC BANK PLC`, and `EBL` is `Eastern Bank Limited`. Legal forms and case are no difference. */
export function isSameBank(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)]
  const [name, otherName] = [nameOf(words), nameOf(others)]
  return (
    name === otherName ||
    (name.length > 1 && initialsOf(others).startsWith(name)) ||
    (otherName.length > 1 && initialsOf(words).startsWith(otherName))
  )
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

function nameOf(words: readonly string[]): string {
  const own = words.filter((word) => !LEGAL_FORM.test(word))
  return (own.length === 0 ? words : own).join("")
}

function initialsOf(words: readonly string[]): string {
  return words.map((word) => word[0]).join("")
}
