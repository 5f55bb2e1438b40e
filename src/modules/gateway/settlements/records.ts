import { actorOf, audit, type By } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import { GatewayError, type FieldError } from "../kernel/errors"
import type { Minor } from "../kernel/money/money"
import type { Tenant } from "../kernel/types"
import type { Owner, Posting } from "../ledger/rules"
import { tenantNow } from "../ledger/records"
import {
  depositMatched,
  depositUndone,
  settlementMatched,
  settlementUndone,
  type DepositSums,
  type HeldBy,
  type SettledSums,
} from "../ledger/settlement-rules"
import type { SettlementTemplate } from "./files/template"
import type { LineReason } from "./rules"
import { COURIER, isBank, type ImportState, type LineState, type SettlementKind } from "./states"

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

/** A file, or days of an acquirer's payouts, that was imported; times on the merchant's clock. `errors`: the first lines that could not be read. */
export type SettlementImport = Tenant & {
  id: string
  state: ImportState
  source: string
  /** null: its lines came by the acquirer's API. */
  template_id: string | null
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
  /** What of which settlements a bank's line brings; null: nothing. */
  allocations: { source: string; batch: string; amount: string }[] | null
}

export const TEMPLATE_COLUMNS =
  "id, merchant_id, environment, name, version, source, definition, created_by, created_at"

export const IMPORT_COLUMNS =
  "id, merchant_id, environment, state, source, template_id, file_name, read_count, new_count, known_count, skipped_count, errors, postings, created_by, imported_at, undone_at, undone_by, undone_note"

export const LINE_COLUMNS =
  "l.id, l.merchant_id, l.environment, l.import_id, l.source, l.line, l.kind, l.reference, l.order_reference, l.gross_minor::text AS gross, l.fee_minor::text AS fee, l.vat_minor::text AS vat, l.currency, l.occurred_at, l.month, l.batch, l.description, l.state, l.reasons, l.subject, l.transaction_id, l.expected_minor::text AS expected, l.booked_minor::text AS booked, l.agreed_fee_minor::text AS agreed_fee, l.agreed_vat_minor::text AS agreed_vat, l.posted_as, l.note, l.decided_by, l.decided_at, l.postings, (SELECT json_agg(json_build_object('source', a.source, 'batch', a.batch, 'amount', a.amount_minor::text) ORDER BY a.id) FROM gateway_settlement_allocation a WHERE a.deposit_id = l.id) AS allocations"

/** An import that has written nothing for so long: its process has died. */
export const SILENT_SECONDS = 60

/** Who holds the money of a source until its lines are matched. */
export function heldBy(source: string): HeldBy {
  return source.startsWith(COURIER) ? "cash_received" : "acquirer_clearing"
}

/** What lines of one source and currency say, in hundredths. `expected`: what they set off; null: nothing of ours. */
export type LineSums = { gross: Minor; fee: Minor; vat: Minor; expected: Minor | null; booked: Minor }

/** Puts lines of a source into the ledger. Of money that we do not know, all of it is a difference. */
export function linesMatched(id: string, owner: Owner, source: string, sums: LineSums, now: Date): Posting {
  return isBank(source)
    ? depositMatched(id, owner, depositSums(sums), now)
    : settlementMatched(id, owner, settledSums(source, sums), now)
}

/** Takes them out again. */
export function linesUndone(id: string, owner: Owner, source: string, sums: LineSums, now: Date): Posting {
  return isBank(source)
    ? depositUndone(id, owner, depositSums(sums), now)
    : settlementUndone(id, owner, settledSums(source, sums), now)
}

function settledSums(source: string, { gross, fee, vat, expected, booked }: LineSums): SettledSums {
  const ours = (expected ?? 0n) - booked
  return { held: heldBy(source), ours, net: gross - fee - vat, fee: fee - booked, vat }
}

/** Of a bank's lines, what settlements say is expected. */
function depositSums({ gross, expected }: LineSums): DepositSums {
  return { settled: expected ?? 0n, amount: gross }
}

export function sumsOfRow(row: Pick<LineRow, "gross" | "fee" | "vat" | "expected" | "booked">): LineSums {
  const { gross, fee, vat, expected, booked } = row
  const known = expected === null ? null : BigInt(expected)
  return { gross: BigInt(gross), fee: BigInt(fee), vat: BigInt(vat), expected: known, booked: BigInt(booked) }
}

/** What lines say in each currency. */
export function sumsByCurrency(lines: readonly (LineSums & { currency: string })[]): Map<string, LineSums> {
  const all = new Map<string, LineSums>()
  for (const { currency, gross, fee, vat, expected, booked } of lines) {
    const sums = all.get(currency) ?? { gross: 0n, fee: 0n, vat: 0n, expected: 0n, booked: 0n }
    all.set(currency, {
      gross: sums.gross + gross,
      fee: sums.fee + fee,
      vat: sums.vat + vat,
      expected: (sums.expected ?? 0n) + (expected ?? 0n),
      booked: sums.booked + booked,
    })
  }
  return all
}

/**
 * Settlements of one source are written by one transaction at a time: it decides which line is which money. Held until the
 * transaction of `sql` ends. Until then the merchant's time zone stays too, by which lines are put into months: whoever
 * changes it locks the row as a whole (merchants/service.ts). What takes it FOR NO KEY UPDATE (`lockTenant`) does not wait
 * for this one, but for that change.
 */
export async function lockSource(sql: Sql, { merchant_id, environment }: Tenant, source: string): Promise<void> {
  await sql.query(
    "SELECT 1 FROM gateway_merchant_environment WHERE merchant_id = $1 AND environment = $2 FOR KEY SHARE",
    [merchant_id, environment]
  )
  await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `gateway_settlement:${merchant_id}:${environment}:${source}`,
  ])
}

/** The locks of several sources, after that of a bank: in one order, so that two deposits do not wait for each other. */
export async function lockSources(sql: Sql, tenant: Tenant, sources: readonly string[]): Promise<void> {
  for (const source of [...new Set(sources)].sort()) {
    await lockSource(sql, tenant, source)
  }
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
  | "deposit_matched"
  | "deposit_undone"
  | "rematched"
  | "template_created"
  | "fee_agreed"
  | "month_closed"
  | "month_reopened"
  | "account_numbered"

/** What a bank's line brings, as the audit log keeps it: amounts in hundredths. */
export function notedAllocations(allocations: readonly { source: string; batch: string; amount: Minor | string }[]) {
  return allocations.map(({ source, batch, amount }) => ({ source, batch, amount_minor: amount.toString() }))
}

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

/** What somebody has decided about a line; `posted_as` as it is now in the ledger. */
export async function writeDecision(
  sql: Sql,
  tenant: Tenant & By,
  { id, posted_as: before }: LineRow,
  { state, note, posted_as }: { state: LineState; note: string | null; posted_as: string | null }
): Promise<void> {
  await sql.query(
    `UPDATE gateway_settlement_line SET state = $2, note = $3, posted_as = $4, postings = postings + $5, decided_by = $6,
       decided_at = $7, updated_at = now() WHERE id = $1`,
    [id, state, note, posted_as, before === posted_as ? 0 : 1, actorOf(tenant).id, await tenantNow(sql, tenant)]
  )
}

/** What a stored line says, as a file says it. */
export function minorOf(row: LineRow) {
  const { kind, currency, occurred_at } = row
  return { kind, currency, occurred_at, gross: BigInt(row.gross), fee: BigInt(row.fee), vat: BigInt(row.vat) }
}
