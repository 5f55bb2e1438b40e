import type { presentBatch, presentBrought } from "../../../api/admin/gateway/settlements/batches/resource"
import type { presentMonth } from "../../../api/admin/gateway/settlements/months/resource"
import type { presentPreview } from "../../../api/admin/gateway/settlements/preview/resource"
import type {
  presentAgreement,
  presentImport,
  presentMissing,
  presentTemplate,
  presentWholeLine,
} from "../../../api/admin/gateway/settlements/resource"
import type { Json } from "../http"
import type { Color } from "../ui/bits"

/** A file that was imported; amounts as decimal text, times as ISO 8601. */
export type Import = Json<ReturnType<typeof presentImport>>
export type ImportError = Import["errors"][number]
export type Template = Json<ReturnType<typeof presentTemplate>>
export type Definition = Template["definition"]
export type Agreement = Json<ReturnType<typeof presentAgreement>>
export type Missing = Json<ReturnType<typeof presentMissing>>
/** On its own page a line has more than in the list. */
export type WholeLine = Json<ReturnType<typeof presentWholeLine>>
export type Line = Omit<WholeLine, "ours" | "decided_by_name" | "fee_difference" | "vat_difference">
/** A settlement: the lines of a source with one batch. */
export type Batch = Json<ReturnType<typeof presentBatch>>
/** What a deposit brought of a settlement. */
export type Brought = Json<ReturnType<typeof presentBrought>>
export type Month = Json<ReturnType<typeof presentMonth>>
export type Preview = Json<ReturnType<typeof presentPreview>>
export type Reading = NonNullable<Preview["reading"]>

export const IMPORT_STATUSES = ["reading", "finished", "stopped", "undone"] as const
export const LINE_STATUSES = ["unknown", "matched", "differs", "explained"] as const
export const REASONS = [
  "not_found",
  "ambiguous",
  "taken",
  "no_reference",
  "deposited",
  "undone",
  "amount",
  "fee",
  "currency",
  "date",
  "period",
] as const
export const KINDS = [
  "payment",
  "refund",
  "dispute",
  "dispute_reversal",
  "fee",
  "adjustment",
  "deposit",
] as const satisfies readonly Line["kind"][]

export const IMPORT_COLORS: Readonly<Record<Import["status"], Color>> = {
  reading: "blue",
  finished: "green",
  stopped: "orange",
  undone: "grey",
}

export const LINE_COLORS: Readonly<Record<Line["status"], Color>> = {
  unknown: "red",
  matched: "green",
  differs: "orange",
  explained: "purple",
}

export const COURIER = "courier:"
export const BANK = "bank:"

/** Whether a source is an acquirer or a courier, and no bank. */
export function settles(source: string): boolean {
  return !source.startsWith(BANK)
}

export function isAcquirer(source: string): boolean {
  return settles(source) && !source.startsWith(COURIER)
}
