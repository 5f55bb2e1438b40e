import { messageOf } from "../../../i18n/message"
import { audit, type By } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import { GatewayError, type FieldError } from "../kernel/errors"
import type { Minor } from "../kernel/money/money"
import type { Tenant } from "../kernel/types"
import type { Owner } from "../ledger/rules"
import type { HeldBy, SettledSums } from "../ledger/settlement-rules"
import type { SettlementTemplate } from "./files/template"
import type { LineReason } from "./rules"
import type { ImportState, LineState, SettlementKind } from "./states"

/** How files of a source are read; a change is a new version. */
export type StoredTemplate = Tenant & {
  id: string
  name: string
  version: number
  source: string
  definition: SettlementTemplate
  created_by: string
  created_at: Date
}

/** A file that was imported; times on the merchant's clock. `errors`: the first lines that could not be read. */
export type SettlementImport = Tenant & {
  id: string
  state: ImportState
  source: string
  template_id: string
  file_name: string
  read_count: number
  new_count: number
  known_count: number
  skipped_count: number
  errors: FieldError[]
  postings: number
  created_by: string
  imported_at: Date
  undone_at: Date | null
  undone_by: string | null
  undone_note: string | null
}

/** A line as it is stored; amounts in hundredths as text, signed: above 0 comes to the merchant. */
export type LineRow = Tenant & {
  id: string
  import_id: string
  source: string
  line: number
  kind: SettlementKind
  reference: string | null
  order_reference: string | null
  gross: string
  fee: string
  vat: string
  currency: string
  occurred_at: Date
  month: string
  batch: string | null
  description: string | null
  state: LineState
  reasons: LineReason[]
  subject: string | null
  transaction_id: string | null
  expected: string | null
  booked: string
  agreed_fee: string | null
  agreed_vat: string | null
  posted_as: string | null
  note: string | null
  decided_by: string | null
  decided_at: Date | null
  postings: number
}

export const TEMPLATE_COLUMNS =
  "id, merchant_id, environment, name, version, source, definition, created_by, created_at"

export const IMPORT_COLUMNS =
  "id, merchant_id, environment, state, source, template_id, file_name, read_count, new_count, known_count, skipped_count, errors, postings, created_by, imported_at, undone_at, undone_by, undone_note"

export const LINE_COLUMNS =
  "l.id, l.merchant_id, l.environment, l.import_id, l.source, l.line, l.kind, l.reference, l.order_reference, l.gross_minor::text AS gross, l.fee_minor::text AS fee, l.vat_minor::text AS vat, l.currency, l.occurred_at, l.month, l.batch, l.description, l.state, l.reasons, l.subject, l.transaction_id, l.expected_minor::text AS expected, l.booked_minor::text AS booked, l.agreed_fee_minor::text AS agreed_fee, l.agreed_vat_minor::text AS agreed_vat, l.posted_as, l.note, l.decided_by, l.decided_at, l.postings"

/** An import that has written nothing for so long: its process has died. */
export const SILENT_SECONDS = 60

export const COURIER = "courier:"

/** Who holds the money of a source until its lines are matched. */
export function heldBy(source: string): HeldBy {
  return source.startsWith(COURIER) ? "cash_received" : "acquirer_clearing"
}

/** What a line moves in the ledger. Of money that we do not know, all of it is a difference. */
export function settledSums(line: {
  source: string
  gross: Minor
  fee: Minor
  vat: Minor
  expected: Minor | null
  booked: Minor
}): SettledSums {
  const { source, gross, fee, vat, expected, booked } = line
  const ours = (expected ?? 0n) - booked
  return { held: heldBy(source), ours, net: gross - fee - vat, fee: fee - booked, vat }
}

export function sumsOfRow(row: Pick<LineRow, "source" | "gross" | "fee" | "vat" | "expected" | "booked">): SettledSums {
  const { source, gross, fee, vat, expected, booked } = row
  const minor = { gross: BigInt(gross), fee: BigInt(fee), vat: BigInt(vat), booked: BigInt(booked) }
  return settledSums({ source, ...minor, expected: expected === null ? null : BigInt(expected) })
}

/** What lines move in each currency. */
export function sumsByCurrency(
  lines: readonly { currency: string; sums: SettledSums }[]
): { currency: string; sums: SettledSums }[] {
  const all = new Map<string, SettledSums>()
  for (const { currency, sums } of lines) {
    const { held, ours, net, fee, vat } = all.get(currency) ?? { held: sums.held, ours: 0n, net: 0n, fee: 0n, vat: 0n }
    all.set(currency, { held, ours: ours + sums.ours, net: net + sums.net, fee: fee + sums.fee, vat: vat + sums.vat })
  }
  return [...all].map(([currency, sums]) => ({ currency, sums }))
}

/**
 * Settlements of one source are written by one transaction at a time: it decides which line is which money. Held until the
 * transaction of `sql` ends.
 */
export async function lockSource(sql: Sql, { merchant_id, environment }: Tenant, source: string): Promise<void> {
  await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `gateway_settlement:${merchant_id}:${environment}:${source}`,
  ])
}

/** Locks an import. Throws SETTLEMENT_NOT_FOUND, for another tenant's too. */
export async function holdImport(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  id: string
): Promise<SettlementImport> {
  const [row] = await sql.query<SettlementImport>(
    `SELECT ${IMPORT_COLUMNS} FROM gateway_settlement_import
     WHERE id = $1 AND merchant_id = $2 AND environment = $3 FOR UPDATE`,
    [id, merchant_id, environment]
  )
  if (row === undefined) {
    throw new GatewayError("SETTLEMENT_NOT_FOUND")
  }
  return row
}

/** Locks a line. Throws SETTLEMENT_NOT_FOUND, for another tenant's too. */
export async function holdLine(sql: Sql, { merchant_id, environment }: Tenant, id: string): Promise<LineRow> {
  const [row] = await sql.query<LineRow>(
    `SELECT ${LINE_COLUMNS} FROM gateway_settlement_line l
     WHERE l.id = $1 AND l.merchant_id = $2 AND l.environment = $3 FOR UPDATE`,
    [id, merchant_id, environment]
  )
  if (row === undefined) {
    throw new GatewayError("SETTLEMENT_NOT_FOUND")
  }
  return row
}

/** The last month of a source that is closed; what counts in it or before is locked. null: none is. */
export async function closedUntil(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  source: string
): Promise<string | null> {
  const [{ month }] = await sql.query<{ month: string | null }>(
    `SELECT max(month) AS month FROM gateway_settlement_month
     WHERE merchant_id = $1 AND environment = $2 AND source = $3 AND state = 'closed'`,
    [merchant_id, environment, source]
  )
  return month
}

/**
 * For what changes the figures of a month. `sql` holds the lock of the source. Throws MONTH_CLOSED when this month, or a
 * later one, is closed.
 */
export async function requireOpenMonth(sql: Sql, tenant: Tenant, source: string, month: string): Promise<void> {
  const closed = await closedUntil(sql, tenant, source)
  if (closed !== null && month <= closed) {
    throw new GatewayError("MONTH_CLOSED", messageOf("refusal.month_closed", { source, month: closed }))
  }
}

export function ownerOf({ merchant_id, environment }: Tenant, currency: string): Owner {
  return { merchant_id, environment, currency }
}

type Noted =
  | "imported"
  | "stopped"
  | "undone"
  | "line_matched"
  | "line_explained"
  | "line_undone"
  | "template_created"
  | "fee_agreed"
  | "month_closed"
  | "month_reopened"
  | "account_numbered"

/** Who did what with a settlement, and why. */
export async function noteSettlement(
  sql: Sql,
  tenant: Tenant & By,
  what: Noted,
  resource_id: string,
  after: Record<string, unknown>
): Promise<void> {
  const { merchant_id, environment } = tenant
  await audit(sql, { merchant_id, environment, by: tenant, action: `settlement.${what}`, resource_id, after })
}
