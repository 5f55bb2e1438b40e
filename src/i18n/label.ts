import { label } from "./en/labels"
import { isMessage, said, type Kind, type Message, type Param } from "./message"

/** Parameters that name a field: of "plan_name is required" and of "must not be before start_date". */
const NAMES: readonly string[] = ["name", "field"]
const API_NAME = /^[a-z][a-z0-9_]*(?:\[\d+\])?(?:\.[a-z0-9_]+(?:\[\d+\])?)*$/

/** Refusals whose text names fields of a request, and the text that people read instead. */
const PLAIN: Readonly<Partial<Record<Kind, Kind>>> = {
  "error.TRANSACTION_NOT_FOUND": "plain.payment_unknown",
  "error.DUPLICATE_TRANSACTION": "plain.order_id_used",
  "refusal.clock_one_of_two": "plain.clock_step_missing",
  "refusal.variant_unknown": "plain.variant_unknown",
  "refusal.endpoint_off": "plain.endpoint_off",
  "refusal.change_waits": "plain.change_waits",
  "rule.capture_unsupported": "plain.capture_unsupported",
  "rule.divisible_by_quantity": "plain.divisible_by_quantity",
  "rule.product": "plain.product",
  "rule.ends_at_min": "plain.ends_at_min",
}

/**
 * A refusal as people read it: its fields have the labels of the forms instead of the API's names. `items[2].amount` is
 * "Amount", as the form says it. In a file the columns have the API's names, and keep them.
 */
export function labelled(message: Message): Message {
  return replaced(message, labelOf)
}

/**
 * The same, said of the field of a form: the field has the form's own label. Forms have different labels for what the
 * API calls `reference`: a payout's is the bank's, a dispute's the acquirer's.
 */
export function labelledAs(message: Message, field: string, label: string): Message {
  return replaced(message, (name) => (name === field ? said(label) : labelOf(name)))
}

function replaced({ kind, params }: Message, labelFor: (name: string) => Message): Message {
  if (kind.startsWith("file.")) {
    return { kind, params }
  }
  const shown = Object.entries(params ?? {}).map(([name, value]): [string, Param] => {
    if (isMessage(value)) {
      return [name, replaced(value, labelFor)]
    }
    const isName = (kind === "field" || kind.startsWith("rule.")) && NAMES.includes(name) && typeof value === "string"
    return [name, isName ? labelFor(value) : value]
  })
  const plain = PLAIN[kind] ?? kind
  return params === undefined ? { kind: plain } : { kind: plain, params: Object.fromEntries(shown) }
}

/**
 * What people call a field. A name that no list knows is written in words: `settled_amount` is "settled amount". What
 * is no name, such as an address that somebody typed, stays as it is.
 */
export function labelOf(path: string): Message {
  if (!API_NAME.test(path)) {
    return said(path)
  }
  const name =
    path
      .replace(/\[\d+\]/g, "")
      .split(".")
      .at(-1) ?? path
  return isLabelled(name) ? { kind: `label.${name}` } : said(name.replace(/_(minor|id)$/, "").replaceAll("_", " "))
}

export function isLabelled(name: string): name is keyof typeof label {
  return Object.hasOwn(label, name)
}
