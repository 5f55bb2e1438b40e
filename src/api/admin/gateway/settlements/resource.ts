import { PassThrough } from "node:stream"
import { z } from "@medusajs/framework/zod"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import { dayText } from "../../../../i18n/days"
import { dayOfDate } from "../../../../modules/gateway/kernel/database/counter-rules"
import { fault, GatewayError, validationError } from "../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import { readTemplate, type SettlementTemplate } from "../../../../modules/gateway/settlements/files/template"
import type { LineRow, SettlementImport, StoredTemplate } from "../../../../modules/gateway/settlements/records"
import { isBank } from "../../../../modules/gateway/settlements/states"
import type { MissingPayment } from "../../../../modules/gateway/settlements/missing"
import { LATE_DAYS, type FeeAgreement, type OurMoney } from "../../../../modules/gateway/settlements/rules"
import type { NewAgreement } from "../../../../modules/gateway/settlements/terms"
import { messageOf } from "../../../../i18n/message"
import { translate } from "../../../../i18n/translate"
import type { Language } from "../../../../i18n/languages"
import type { Names } from "../../../admin-kit/present"
import type { AdminContext } from "../../../admin-kit/endpoint"
import type { JsonObject } from "../../../v2-kit/body"
import { amount, date, parse, rule, text, withoutAbsent } from "../../../v2-kit/validate"

const DAY_MS = 86_400_000
const amountOrNull = (minor: string | null) => (minor === null ? null : formatAmount(BigInt(minor)))

/** An acquirer as payments name it, or a courier or bank by the name that a person types. */
export const source = text(64).refine(
  (name) => /^((courier|bank):\S.*|[a-z][a-z0-9_-]*)$/.test(name),
  rule("settlement_source")
)
export const note = text(500)
/** As `2026-11`, of the merchant's time zone. */
export const month = z
  .string()
  .refine((value) => /^[0-9]{4}-(0[1-9]|1[0-2])$/.test(value), rule("month", { example: "2026-01" }))

const NOBODY: Names = new Map()

export function presentTemplate(template: StoredTemplate, names: Names = NOBODY) {
  const { id, name, version, source: of, definition, created_by, created_at } = template
  const created_by_name = names.get(created_by) ?? null
  return {
    id,
    name,
    version,
    source: of,
    definition,
    created_by,
    created_by_name,
    created_at: created_at.toISOString(),
  }
}

const templateSchema = z.object({ name: text(100), source, definition: z.unknown() })

/** A template: `name`, `source` and its `definition` (settlements/files/template.ts); `zone`: the merchant's. */
export function readNewTemplate(body: JsonObject, zone: string) {
  const { name, source: of, definition: sent } = parse(templateSchema, withoutAbsent(body, []))
  const definition = readDefinition(sent, zone)
  if (isBank(of) !== (definition.kind === "statement")) {
    throw validationError([fault("source", messageOf("rule.settlement_source_bank"))])
  }
  return { name, source: of, definition }
}

/** Throws VALIDATION_ERROR that names each wrong member below `definition`. */
export function readDefinition(definition: unknown, zone: string): SettlementTemplate {
  const read = readTemplate(definition, zone)
  if (read.value === null) {
    throw validationError(read.failures.map((failure) => ({ ...failure, field: `definition.${failure.field}` })))
  }
  return read.value
}

export function presentImport(row: SettlementImport, language: Language, names: Names = NOBODY) {
  return {
    id: row.id,
    status: row.state,
    source: row.source,
    template_id: row.template_id,
    file_name: row.file_name,
    read: row.read_count,
    new: row.new_count,
    known: row.known_count,
    skipped: row.skipped_count,
    errors: row.errors.map(({ field, reason }) => ({ field, message: translate(reason, language), reason })),
    imported_by: row.created_by,
    imported_by_name: names.get(row.created_by) ?? null,
    imported_at: row.imported_at.toISOString(),
    undone_at: row.undone_at?.toISOString() ?? null,
    undone_by: row.undone_by,
    undone_by_name: names.get(row.undone_by ?? "") ?? null,
    undone_note: row.undone_note,
  }
}

const fileSchema = z.object({ template_id: text(64), file_name: text(200) })

/** Which template reads the file, and what it is called. */
export function readFileQuery({ template_id, file_name }: JsonObject) {
  return parse(fileSchema, withoutAbsent({ template_id, file_name }, []))
}

/**
 * The file as it comes. Not the request itself: leaving a loop over it early would detach its socket, and the access log
 * reads its address afterwards. It is taken as fast as it is sent: a request has to arrive in time, and may not wait for
 * its lines to be written.
 */
export function bytesOf(request: AdminContext["request"]): AsyncIterable<Buffer> {
  if (request.readableEnded || request.destroyed) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.settlement_file"))
  }
  const bytes = new PassThrough({ highWaterMark: LIMITS.settlementFileMaxBytes })
  request.on("close", () => {
    if (!request.complete) {
      bytes.destroy(new GatewayError("INVALID_REQUEST", messageOf("refusal.settlement_file")))
    }
  })
  bytes.on("close", () => request.unpipe(bytes).resume())
  return request.pipe(bytes)
}

export function presentLine(row: LineRow) {
  const { gross, fee, vat } = row
  return {
    id: row.id,
    import_id: row.import_id,
    line: row.line,
    source: row.source,
    kind: row.kind,
    status: row.state,
    reasons: row.reasons,
    reference: row.reference,
    order_reference: row.order_reference,
    gross: formatAmount(BigInt(gross)),
    fee: formatAmount(BigInt(fee)),
    vat: formatAmount(BigInt(vat)),
    net: formatAmount(BigInt(gross) - BigInt(fee) - BigInt(vat)),
    currency: row.currency,
    expected: amountOrNull(row.expected),
    difference: row.expected === null ? null : formatAmount(BigInt(gross) - BigInt(row.expected)),
    agreed_fee: amountOrNull(row.agreed_fee),
    agreed_vat: amountOrNull(row.agreed_vat),
    subject: row.subject,
    transaction_id: row.transaction_id,
    batch: row.batch,
    month: row.month,
    allocations: (row.allocations ?? []).map((one) => ({ ...one, amount: formatAmount(BigInt(one.amount)) })),
    bank_charge:
      isBank(row.source) && row.expected !== null ? formatAmount(BigInt(row.expected) - BigInt(gross)) : null,
    description: row.description,
    occurred_at: row.occurred_at.toISOString(),
    note: row.note,
    decided_by: row.decided_by,
    decided_at: row.decided_at?.toISOString() ?? null,
  }
}

/** A line in full: with the money of ours that it is, as we know it now, and the name of who has decided. */
export function presentWholeLine(row: LineRow, ours: OurMoney | null, names: Names) {
  const less = (said: string, agreed: string | null) =>
    agreed === null ? null : formatAmount(BigInt(said) - BigInt(agreed))
  return {
    ...presentLine(row),
    fee_difference: less(row.fee, row.agreed_fee),
    vat_difference: less(row.vat, row.agreed_vat),
    decided_by_name: names.get(row.decided_by ?? "") ?? null,
    ours: ours && {
      amount: formatAmount(ours.amount),
      currency: ours.currency,
      payment_service: ours.payment_service,
      moved_at: ours.moved_at.toISOString(),
    },
  }
}

const DAYS_MAX = 366
const WRONG_DAYS = rule("whole_number_within", { min: 0, max: DAYS_MAX })

/** After how many days a payment that is in no file is late. */
export const lateDays = z
  .string()
  .regex(/^[0-9]{1,3}$/, WRONG_DAYS)
  .transform(Number)
  .refine((days) => days <= DAYS_MAX, WRONG_DAYS)
  .default(LATE_DAYS)

/** `days`: whole days since the payment ended, on the merchant's clock. */
export function presentMissing(payment: MissingPayment, now: Date) {
  const { id: transaction_id, amount_minor, finished_at, ...rest } = payment
  return {
    id: transaction_id,
    transaction_id,
    ...rest,
    amount: formatAmount(amount_minor),
    finished_at: finished_at.toISOString(),
    days: Math.floor((now.getTime() - finished_at.getTime()) / DAY_MS),
  }
}

const noteSchema = z.object({ note })

export function readNote(body: JsonObject): string {
  return parse(noteSchema, withoutAbsent(body, [])).note
}

const matchSchema = z.object({ number: text(100), note: note.optional() })

export function readMatch(body: JsonObject): { number: string; note: string | null } {
  const { number, note: said = null } = parse(matchSchema, withoutAbsent(body, []))
  return { number, note: said }
}

export function presentAgreement(agreement: FeeAgreement) {
  return {
    payment_service: agreement.payment_service === "" ? null : agreement.payment_service,
    valid_from: agreement.valid_from,
    rate_percent: formatAmount(agreement.rate_basis_points),
    fixed: formatAmount(agreement.fixed_minor),
    vat_percent: formatAmount(agreement.vat_basis_points),
  }
}

const percent = amount.refine((points) => points <= 10_000n, rule("percent", { min: 0, max: 100 }))
const agreementSchema = z.object({
  source,
  payment_service: text(64).optional(),
  valid_from: date.transform((midnight) => dayText(dayOfDate(midnight))),
  rate_percent: percent,
  fixed: amount.default(0n),
  vat_percent: percent.default(0n),
})

export function readAgreement(body: JsonObject): NewAgreement {
  const read = parse(agreementSchema, withoutAbsent(body, []))
  return {
    source: read.source,
    payment_service: read.payment_service ?? "",
    valid_from: read.valid_from,
    rate_basis_points: Number(read.rate_percent),
    fixed_minor: Number(read.fixed),
    vat_basis_points: Number(read.vat_percent),
  }
}

const sourceSchema = z.object({ source })

export function readSource({ source: of }: JsonObject): string {
  return parse(sourceSchema, withoutAbsent({ source: of }, [])).source
}
