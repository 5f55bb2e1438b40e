import { createHash } from "node:crypto"
import { messageOf, type Message } from "../../../../i18n/message"
import type { FieldError } from "../../kernel/errors"
import { LIMITS } from "../../kernel/limits"
import { statedAmount, type Minor } from "../../kernel/money/money"
import { shown } from "../../kernel/money/written"
import { refuseFaults } from "../../kernel/text/csv"
import { lineFault } from "../../kernel/text/csv-records"
import { TemplateCells, type Written } from "./cells"
import { HeaderSearch, type Header } from "./columns"
import type { SheetRow } from "./sheet"
import { normalName, type SettlementKind, type SettlementTemplate } from "./template"

/** What a line of a file says; amounts in hundredths of its currency. */
export type SettlementLine = {
  /** In the file, from 1. */
  line: number
  /** Identity: `id:<text>` by the template's column, else `hash:<digest>:<how many equal lines stand before it>`. */
  key: string
  /** SHA-256 of what the line says: a line that comes again under its id with other figures has another. */
  digest: string
  kind: SettlementKind
  /** The acquirer's own number of the payment. */
  reference: string | null
  /** Our number of it. */
  order_reference: string | null
  /** Signed: above 0 comes to the merchant, below 0 goes from it. */
  gross: Minor
  /** What the acquirer keeps; below 0 when it gives a fee back. */
  fee: Minor
  /** On the fee. */
  vat: Minor
  /** gross - fee - vat */
  net: Minor
  /** Of the bank's account after the line. */
  balance: Minor | null
  currency: string
  occurred_at: Date
  batch: string | null
  description: string | null
}

export type LineResult =
  | { outcome: "line"; line: SettlementLine }
  | { outcome: "skipped"; line: number; why: Message }
  | { outcome: "error"; line: number; errors: FieldError[] }

/** How the acquirer `name` numbers movements in its API and its files: each number begins with `prefix`. */
export type Numbered = { name: string; prefix: string }

/**
 * A line by which an acquirer that has an API gives a movement needs the movement's own number: by another one, or by
 * what it says, it would be written again when the API names it. `by` null: no such acquirer.
 */
export async function* onlyNumbered(
  batches: AsyncIterable<readonly LineResult[]>,
  by: Numbered | null
): AsyncGenerator<readonly LineResult[]> {
  for await (const batch of batches) {
    yield by === null ? batch : batch.map((result) => numbered(result, by))
  }
}

function numbered(result: LineResult, by: Numbered): LineResult {
  if (result.outcome !== "line" || result.line.key.startsWith(`id:${by.prefix}`)) {
    return result
  }
  const { line } = result.line
  return { outcome: "error", line, errors: [lineFault(line, null, messageOf("file.movement_number", by))] }
}

const BATCH_LINES = 1_000

/**
 * What becomes of each line below the names of the columns, in batches, so that the caller can write, report and stop in
 * between. Throws VALIDATION_ERROR when the names are not found, and for a file with no lines or too many.
 */
export async function* readSettlement(
  rows: AsyncIterable<SheetRow>,
  template: SettlementTemplate
): AsyncGenerator<LineResult[]> {
  const search = new HeaderSearch(template)
  let reader: LineReader | null = null
  let header: Header | null = null
  let batch: LineResult[] = []
  let count = 0
  for await (const row of rows) {
    if (reader === null) {
      header = search.next(row)
      reader = header && new LineReader(template, header)
      continue
    }
    count += row.cells.length > 0 ? 1 : 0
    if (count > LIMITS.settlementLinesMax) {
      break
    }
    batch.push(reader.read(row))
    if (batch.length === BATCH_LINES) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) {
    yield batch
  }
  const { line } = header ?? search.refuse()
  if (count === 0 || count > LIMITS.settlementLinesMax) {
    refuseFaults([lineFault(line, null, messageOf("file.lines", { max: LIMITS.settlementLinesMax }))])
  }
}

/** By kind: which gross it may have. */
const SIGNS: Record<SettlementKind, (gross: Minor) => boolean> = {
  payment: (gross) => gross >= 0n,
  dispute_reversal: (gross) => gross >= 0n,
  deposit: (gross) => gross >= 0n,
  refund: (gross) => gross <= 0n,
  dispute: (gross) => gross <= 0n,
  fee: () => true,
  adjustment: () => true,
}
const KIND_NAMES: Record<SettlementKind, Message> = {
  payment: messageOf("file.kind.payment"),
  refund: messageOf("file.kind.refund"),
  dispute: messageOf("file.kind.dispute"),
  dispute_reversal: messageOf("file.kind.dispute_reversal"),
  fee: messageOf("file.kind.fee"),
  adjustment: messageOf("file.kind.adjustment"),
  deposit: messageOf("file.kind.deposit"),
}
/** Of these the amounts may be written without a minus. */
const OUTGOING: readonly SettlementKind[] = ["refund", "dispute", "fee"]

type Figures = Pick<SettlementLine, "gross" | "fee" | "vat" | "net">

/** Reads rows of one file, one after the other: it counts equal lines, and knows the ids that have been. */
class LineReader {
  private readonly kinds: ReadonlyMap<string, SettlementKind | "skip">
  private readonly skip: readonly string[]
  private readonly equal = new Map<string, number>()
  private readonly ids = new Map<string, { line: number; digest: string }>()

  constructor(
    private readonly template: SettlementTemplate,
    private readonly header: Header
  ) {
    this.kinds = new Map(Object.entries(template.kinds).map(([word, kind]) => [normalName(word), kind]))
    this.skip = template.skip.map(normalName)
  }

  read(row: SheetRow): LineResult {
    const why = this.skipped(row)
    if (why !== null) {
      return { outcome: "skipped", line: row.line, why }
    }
    const cells = new TemplateCells(row, this.header, this.template)
    const id = cells.text("id")
    const said = this.lineOf(cells)
    if (said !== null && cells.errors.length === 0) {
      const digest = digestOf(said)
      const known = id === null ? undefined : this.ids.get(id)
      if (known === undefined) {
        return { outcome: "line", line: { line: row.line, key: this.keyOf(id, digest, row.line), digest, ...said } }
      }
      if (known.digest === digest) {
        return { outcome: "skipped", line: row.line, why: messageOf("file.skipped_repeated", { line: known.line }) }
      }
      cells.fail("id", messageOf("file.id_twice", { id: shown(id ?? ""), line: known.line }))
    }
    return { outcome: "error", line: row.line, errors: cells.errors }
  }

  private keyOf(id: string | null, digest: string, line: number): string {
    if (id !== null) {
      this.ids.set(id, { line, digest })
      return `id:${id}`
    }
    const before = this.equal.get(digest) ?? 0
    this.equal.set(digest, before + 1)
    return `hash:${digest}:${before}`
  }

  private skipped({ cells }: SheetRow): Message | null {
    if (cells.length === 0) {
      return messageOf("file.skipped_blank")
    }
    const first = normalName(cells.find((cell) => cell !== "") ?? "")
    const word = this.skip.find((one) => first.startsWith(one) && !/[\p{L}\p{M}]/u.test(first.slice(one.length)))
    if (word !== undefined) {
      return messageOf("file.skipped_word", { word: shown(first) })
    }
    const columns = [...this.header.columns.values()]
    if (columns.every(({ index, name }) => normalName(cells[index] ?? "") === normalName(name))) {
      return messageOf("file.skipped_header")
    }
    if (columns.every(({ index }) => (cells[index] ?? "") === "")) {
      return messageOf("file.skipped_note")
    }
    const kind = cells[this.header.columns.get("kind")?.index ?? cells.length] ?? ""
    return this.kinds.get(normalName(kind)) === "skip" ? messageOf("file.skipped_kind", { word: shown(kind) }) : null
  }

  /** What the cells say, or null with what is wrong with them noted. */
  private lineOf(cells: TemplateCells): Omit<SettlementLine, "line" | "key" | "digest"> | null {
    const currency = cells.currency()
    const written = this.template.kind === "statement" ? cells.bankAmount(currency) : cells.amounts(currency)
    const kind = this.kindOf(cells, written)
    const about = {
      reference: cells.text("reference"),
      order_reference: cells.text("order_reference"),
      balance: cells.amount("balance", currency),
      currency,
      occurred_at: cells.date(),
      batch: cells.text("batch"),
      description: cells.description(),
    }
    if (kind === null || cells.errors.length > 0) {
      return null
    }
    const figures = figuresOf(kind, written, this.template)
    const what = wrongWith(kind, figures, currency)
    if (what !== null) {
      cells.fail(null, what)
    }
    return { kind, ...about, ...figures }
  }

  private kindOf(cells: TemplateCells, { gross, net, fee }: Written): SettlementKind | null {
    const word = cells.text("kind")
    const said = word === null ? undefined : this.kinds.get(normalName(word))
    if (said !== undefined && said !== "skip") {
      return said
    }
    const { default_kind: byDefault, kind: about } = this.template
    if (byDefault === null) {
      const reason =
        word === null ? messageOf("file.value_missing") : messageOf("file.kind_unknown", { value: shown(word) })
      cells.fail("kind", reason)
      return null
    }
    if (byDefault !== "by_sign") {
      return byDefault
    }
    const amount = gross ?? net ?? 0n
    const [incoming, outgoing] =
      about === "statement" ? (["deposit", "adjustment"] as const) : (["payment", "refund"] as const)
    return amount > 0n ? incoming : amount < 0n ? outgoing : (fee ?? 0n) === 0n ? "adjustment" : "fee"
  }
}

/**
 * The four figures of which a file may leave out some: net is gross less fee and VAT. What is written with another sign
 * than ours is turned. A net that disagrees stays as it is: `wrongWith` names it.
 */
function figuresOf(kind: SettlementKind, written: Written, template: SettlementTemplate): Figures {
  const { refund_sign, fee_sign } = template
  const turned = (amount: Minor | null, isTurned: boolean) => (amount === null || !isTurned ? amount : -amount)
  const isOutgoing = refund_sign === "positive" && OUTGOING.includes(kind)
  let [gross, net] = [turned(written.gross, isOutgoing), turned(written.net, isOutgoing)]
  let fee = turned(written.fee, fee_sign === "negative")
  const vat = turned(written.vat, fee_sign === "negative") ?? 0n
  gross ??= net === null ? 0n : net + (fee ?? 0n) + vat
  // A charge that stands where other lines have their amount.
  if (kind === "fee" && (fee ?? 0n) === 0n) {
    ;[fee, gross] = [-gross, 0n]
  }
  fee ??= net === null ? 0n : gross - net - vat
  net ??= gross - fee - vat
  return { gross, fee, vat, net }
}

function wrongWith(kind: SettlementKind, { gross, fee, vat, net }: Figures, currency: string): Message | null {
  const stated = (amount: Minor) => statedAmount(amount, currency)
  if (gross - fee - vat !== net) {
    return messageOf("file.net_differs", { gross: stated(gross), fee: stated(fee), vat: stated(vat), net: stated(net) })
  }
  if (!SIGNS[kind](gross)) {
    return messageOf("file.amount_sign", { kind: KIND_NAMES[kind], amount: stated(gross) })
  }
  // Nobody gives a fee for a payment: the template reads signs the wrong way.
  return kind === "payment" && fee < 0n
    ? messageOf("file.amount_sign", { kind: KIND_NAMES.fee, amount: stated(fee) })
    : null
}

/** SHA-256 of what a line says, whoever says it. */
export function digestOf(said: Omit<SettlementLine, "line" | "key" | "digest">): string {
  const { gross, fee, vat, net, balance, occurred_at } = said
  const figures = [gross, fee, vat, net, balance].map((amount) => (amount === null ? null : String(amount)))
  const { kind, reference, order_reference, currency, batch, description } = said
  const words = [kind, reference, order_reference, currency, occurred_at.toISOString(), batch, description]
  return createHash("sha256")
    .update(JSON.stringify([figures, words]))
    .digest("hex")
}
