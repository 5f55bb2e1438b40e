import { useTranslation } from "react-i18next"
import { labelOf } from "../../../i18n/label"
import { isMessage } from "../../../i18n/message"
import { useFormats, type Formats } from "../format"
import { acquirerName } from "../payments/parts"
import { sourceName } from "../settlements/parts"
import { NAMESPACE, useMessage, useText, type Say } from "../text"

type Changed = Record<string, { from: unknown; to: unknown }>

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const DECIMAL = /^-?\d+\.\d\d$/
/** Fields whose decimal text is money. */
const AMOUNT = /(^|_)(amount|fee)$/
const DAY = /^\d{4}-\d\d-\d\d$/
const MONTH = /^\d{4}-\d\d$/
/** What a line of a settlement is: `refund:rfd_…`. */
const SUBJECT = /^([a-z_]+):(\w+)$/
const WORD = /^[A-Za-z_]+$/
const CODE = /^(?:[a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z]+)*)$/
/** The pages' words for the states of what an action is about: the same code means another thing elsewhere. */
const STATES: Readonly<Record<string, string>> = {
  payment_link: "links",
  refund: "refunds",
  subscription: "subscriptions",
  invoice: "invoices",
  dispute: "disputes",
  payout: "payouts",
  cash_order: "cash",
  settlement: "settlements",
}
const stateOf = (code: string, subject: string) => {
  if (subject === "merchant") {
    return [`settings.profile.${code}`]
  }
  return subject === "refund_proposal"
    ? [`refunds.proposals.statuses.${code}`]
    : [`${STATES[subject] ?? "payments"}.statuses.${code}`]
}
/** Where the pages may have words for a value of a field. */
export const PLACES: Readonly<Record<string, (code: string, subject: string) => readonly string[]>> = {
  subject: (code) => [`settlements.kinds.${code}`],
  kind: (code, subject) => (subject === "dispute" ? [`disputes.kinds.${code}`] : [`settlements.file_kinds.${code}`]),
  method: (code) => [`payments.methods.${code}`],
  counted_by: (code) => [`audit.counted_by.${code}`],
  one_trial_per_customer: (code) => [`settings.one_trial.modes.${code}`],
  status: stateOf,
  state: stateOf,
  cause: (code) => [`overview.acquirers.causes.${code}`],
  held_for: (code) => [`refunds.held_${code}`],
  requested_by: (code) => [`refunds.requesters.${code}`],
  account: (code) => [`payouts.ledger.accounts.${code}`],
  error: (code) => [`payments.codes.${code}`],
  problem: (code) => [`acquirers.outcomes.${code}`],
  error_code: (code) => [`payments.codes.${code}`],
  reason: (code, subject) =>
    subject === "dispute" ? [`disputes.reasons.${code}`] : [`messages.refund_reason.${code}`],
  type: (code) => [`refunds.types.${code}`, `developers.keys.types.${code}`],
  service: (code) => [`payments.services.${code}`],
  services: (code) => [`settings.services.${code}`, `payments.services.${code}`],
  payment_service: (code) => [`payments.services.${code}`],
  verification_status: (code) => [`settings.verification.${code}`],
  interval_unit: (code) => [`plans.units.${code}`],
  advance: (code) => [`cash.rules.advances.${code}`],
  refused_advance: (code) => [`cash.refuse.advances.${code}`],
  capture: (code) => [`settings.capture.modes.${code}`],
  after_last_retry: (code) => [`settings.retries.${code}`],
  cancellation_reason: (code) => [`messages.cancellation.${code}`],
  signature_format: (code) => [`developers.webhooks.format_${code}`],
  interest_method: (code) => [`emi.methods.${code}`],
  processing_fee_type: (code) => [`emi.fee_types.${code}`],
}

type Words = {
  say: Say
  formats: Formats
  message: ReturnType<typeof useMessage>
  /** The pages' words for a value of the API; null: there are none. */
  known: (name: string, code: string) => string | null
  /** The currency that the entry names; null: it names none. */
  currency: string | null
}

function useWords(changes: Changed, action: string): Words {
  const { t, i18n } = useTranslation(NAMESPACE)
  const [say, formats, message] = [useText(), useFormats(), useMessage()]
  const known = (name: string, code: string) => {
    const places = Object.hasOwn(PLACES, name) ? PLACES[name](code, action.split(".")[0]) : []
    const key = places.find((one) => i18n.exists(one, { ns: NAMESPACE }))
    return key === undefined ? null : String(t(key))
  }
  const { to, from } = changes.currency ?? {}
  const currency = [to, from].find((one) => typeof one === "string" && /^[A-Z]{3}$/.test(one))
  return { say, formats, message, known, currency: currency === undefined ? null : String(currency) }
}

function amountText(amount: string, { formats, currency }: Words): string {
  return currency === null ? formats.decimal(Number(amount)) : formats.money(amount, currency)
}

/** A value as people read it: amounts as money, times and durations by the admin's locale, codes in words. */
function shown(name: string, value: unknown, words: Words): string {
  const { say, formats, message, known } = words
  if (value === null || value === undefined || value === "") {
    return "–"
  }
  if (typeof value === "boolean") {
    return say(value ? "common.yes" : "common.no")
  }
  if (name === "scopes" && Array.isArray(value) && value.length === 0) {
    return say("developers.keys.everything")
  }
  if (Array.isArray(value)) {
    const isOfObjects = value.some((one) => typeof one === "object")
    return value.map((one) => shown(name, one, words)).join(isOfObjects ? " · " : ", ") || "–"
  }
  if (isMessage(value)) {
    return message({ ...value, message: "" })
  }
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([key, one]) => `${nameOf(key, words)}: ${shown(key, one, words)}`)
    return parts.join("; ") || "–"
  }
  if (name.endsWith("_minor") && Number.isFinite(Number(value))) {
    return amountText((Number(value) / 100).toFixed(2), words)
  }
  if (name.endsWith("_seconds") && typeof value === "number") {
    return formats.duration(value) || formats.number(value)
  }
  if (typeof value === "number" && !PLANS.includes(name)) {
    return formats.number(value)
  }
  const text = String(value)
  // The file's name is the hash of its content: its beginning is enough to see two pictures apart.
  if (name === "logo") {
    return say("audit.picture", { name: text.slice(0, 6) })
  }
  if (name === "event_types" && text === "*") {
    return say("developers.webhooks.all_events")
  }
  if (DECIMAL.test(text) && !AMOUNT.test(name)) {
    return formats.decimal(Number(text))
  }
  if (AMOUNT.test(name) && DECIMAL.test(text)) {
    return amountText(text, words)
  }
  const moment = momentText(text, formats)
  if (moment !== null) {
    return moment
  }
  if (name === "source") {
    return sourceName(say, text)
  }
  if (name === "acquirer") {
    return acquirerName(say, text)
  }
  if (name === "subject" && SUBJECT.test(text)) {
    return text.replace(SUBJECT, (_all, kind: string, id: string) => `${known(name, kind) ?? kind} ${id}`)
  }
  return (WORD.test(text) ? known(name, text) : null) ?? (CODE.test(text) ? inWords(text) : text)
}

/** A time, a day or a month of the calendar; null: it is something else. */
function momentText(text: string, formats: Formats): string | null {
  if (INSTANT.test(text)) {
    return formats.time(text)
  }
  return DAY.test(text) ? formats.day(text) : MONTH.test(text) ? formats.month(`${text}-01`) : null
}

/** A code of a later version, which has no words here yet: `something_new` is "something new". */
function inWords(code: string): string {
  return code.includes("_") ? code.toLowerCase().replaceAll("_", " ") : code
}

function nameOf(name: string, { message }: Words): string {
  return message({ ...labelOf(name.replace(/_minor$/, "")), message: name })
}

type Named = Readonly<Record<string, string>>

type Entry = {
  action: string
  changes: Changed
  /** Of the plans, and of the people and keys, that it has the ids of. */
  plan_names: Named
  actor_names: Named
}
type ValueProps = Pick<Entry, "plan_names" | "actor_names"> & { name: string; value: unknown; words: Words }

/** The fields that hold the id of a plan. */
const PLANS = ["plan", "scheduled_plan"]

/** A plan by its name, with the id that programs know it by; people and keys by theirs; what has no name as it is. */
const Value = ({ name, value, plan_names, actor_names, words }: ValueProps) => {
  const id = String(value)
  if (Object.hasOwn(actor_names, id)) {
    return actor_names[id]
  }
  return PLANS.includes(name) && Object.hasOwn(plan_names, id) ? (
    <>
      {plan_names[id]} <code className="break-all">{id}</code>
    </>
  ) : (
    shown(name, value, words)
  )
}

const isNothing = (value: unknown) => value === null || value === "" || JSON.stringify(value) === "{}"

/** What was changed, from what to what, in words. */
export const Changes = ({ action, changes, plan_names, actor_names }: Entry) => {
  const words = useWords(changes, action)
  const { say } = words
  const fields = Object.entries(changes).filter(([, { from, to }]) => !isNothing(from) || !isNothing(to))
  if (fields.length === 0) {
    return <span className="text-ui-fg-muted">{say("audit.no_fields")}</span>
  }
  return (
    <ul className="flex min-w-56 flex-col gap-1 whitespace-normal py-2">
      {fields.map(([name, { from, to }]) => (
        <li key={name} className="txt-compact-xsmall break-words">
          <span className="font-medium">{nameOf(name, words)}</span>{" "}
          <del className="text-ui-fg-muted">
            <span className="sr-only">{`${say("audit.from")} `}</span>
            <Value name={name} value={from} {...{ plan_names, actor_names, words }} />
          </del>{" "}
          <ins className="text-ui-fg-base no-underline">
            <span className="sr-only">{`${say("audit.to")} `}</span>
            <span aria-hidden>→ </span>
            <Value name={name} value={to} {...{ plan_names, actor_names, words }} />
          </ins>
        </li>
      ))}
    </ul>
  )
}
