import { messageOf, type Message } from "../../../i18n/message"
import { asciiDigits } from "../../../i18n/typed"
import { fault, type FieldError } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import { parseAmount, statedAmount, type Minor } from "../kernel/money/money"
import { readTable, type TableShape } from "../kernel/text/csv"

/** A line of a courier's file; amounts in hundredths of the order's currency. */
export type CashLine = {
  line: number
  order_number: string
  collected: Minor
  charge: Minor
  date: string
  key: string
}

/**
 * What an import does with a line. `known`: an earlier import has recorded it. `doubtful`: an equal line without a date was
 * recorded, and cash is still due: the same line, or another payment. It is not recorded; with a date it would be.
 */
export type CashOutcome = CashLine & {
  outcome: "recorded" | "known" | "doubtful" | "refused"
  reason: Message | null
  /** Of the one order that has the line's number; null: none has, or several. */
  order_id: string | null
  currency: string | null
}

/** An order that a line may name, and what is still due for it. */
export type DueOrder = { id: string; order_number: string; due: Minor; currency: string }

const TABLE: TableShape = {
  columns: ["order_number", "collected", "charge", "date"],
  required: ["order_number", "collected"],
  numbers: ["collected", "charge"],
  maxRows: LIMITS.cashImportMaxLines,
  count: messageOf("file.lines", { max: LIMITS.cashImportMaxLines }),
}

const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/
const ORDER_NUMBER_MAX = 64

/**
 * Reads a courier's file, or what is wrong with its lines. A line's key is made of what it says, and of how many equal
 * lines stand before it: the same file, or one that repeats some of its lines, records nothing twice.
 */
export function readCashFile(csv: string): { lines: CashLine[]; errors: FieldError[] } {
  const { lines, errors } = readTable<Omit<CashLine, "key">>(csv, TABLE, (fields, line) => {
    const { order_number: number = "", collected = "", charge = "", date: day = "" } = fields
    const order_number = asciiDigits(number).replace(/^#/, "")
    const date = asciiDigits(day)
    const [amount, kept] = [parseAmount(collected), parseAmount(charge === "" ? "0" : charge)]
    const failures = [
      ...(order_number === "" || order_number.length > ORDER_NUMBER_MAX
        ? [fault("order_number", messageOf("rule.required"))]
        : []),
      ...(amount === null || amount === 0n
        ? [fault("collected", messageOf("rule.amount", { example: "1250.50" }))]
        : []),
      ...(kept === null || kept > LIMITS.orderAmountMaxMinor
        ? [fault("charge", messageOf("rule.amount", { example: "60.00" }))]
        : []),
      ...(date !== "" && !DATE.test(date) ? [fault("date", messageOf("rule.date", { example: "2026-01-31" }))] : []),
    ]
    if (amount === null || kept === null || failures.length > 0) {
      return { value: null, failures }
    }
    return { value: { line, order_number, collected: amount, charge: kept, date }, failures: [] }
  })
  const seen = new Map<string, number>()
  const keyed = lines.map((line) => {
    const said = [line.order_number, line.collected, line.charge, line.date].join(":")
    const before = seen.get(said) ?? 0
    seen.set(said, before + 1)
    return { ...line, key: `csv:${said}:${before}` }
  })
  return { lines: keyed, errors }
}

/** What would become of each line, in their order: an order's earlier lines take from what is due for its later ones. */
export function planCashImport(
  lines: readonly CashLine[],
  orders: readonly DueOrder[],
  known: ReadonlySet<string>
): CashOutcome[] {
  const taken = new Map<string, Minor>()
  return lines.map((line): CashOutcome => {
    const named = orders.filter(({ order_number }) => order_number === line.order_number)
    const order = named.length === 1 ? named[0] : null
    const of = { ...line, order_id: order?.id ?? null, currency: order?.currency ?? null }
    const due = (order?.due ?? 0n) - (taken.get(order?.id ?? "") ?? 0n)
    if (known.has(line.key)) {
      const isDoubtful = line.date === "" && order !== null && due > 0n
      return isDoubtful
        ? { ...of, outcome: "doubtful", reason: doubt(due, order.currency) }
        : { ...of, outcome: "known", reason: null }
    }
    if (order === null) {
      const reason = messageOf(named.length === 0 ? "refusal.cash_no_order" : "refusal.cash_many_orders")
      return { ...of, outcome: "refused", reason }
    }
    if (line.collected > due) {
      const params = { due: statedAmount(due, order.currency), amount: statedAmount(line.collected, order.currency) }
      return { ...of, outcome: "refused", reason: messageOf("refusal.cash_exceeded", params) }
    }
    taken.set(order.id, (taken.get(order.id) ?? 0n) + line.collected)
    return { ...of, outcome: "recorded", reason: null }
  })
}

function doubt(due: Minor, currency: string): Message {
  return messageOf("refusal.cash_line_doubtful", { due: statedAmount(due, currency) })
}
