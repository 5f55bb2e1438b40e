import { messageOf } from "../../../i18n/message"
import { actorOf, type By } from "../kernel/database/audit"
import { json, type Sql } from "../kernel/database/database"
import type { FieldError } from "../kernel/errors"
import { newOrderedId } from "../kernel/text/ids"
import type { Tenant } from "../kernel/types"
import { post, tenantNow } from "../ledger/records"
import type { Posting } from "../ledger/rules"
import { decideLines, type Decided } from "./decide"
import type { LineResult, SettlementLine } from "./files/lines"
import { calendarOf } from "./month-lock"
import { countsIn, monthAt, type MonthCalendar } from "./month-calendar"
import {
  linesMatched,
  minorOf,
  ownerOf,
  sumsByCurrency,
  type LineRow,
  type LineSums,
  type SettlementImport,
} from "./records"
import { ofAnotherPeriod, type Decision, type FeeAgreement } from "./rules"
import { insertAllocations } from "./settled"
import { isBank } from "./states"

type Batch = {
  tenant: Tenant
  held: SettlementImport
  results: readonly LineResult[]
  agreements: readonly FeeAgreement[]
}
type MovedLine = Pick<LineSums, "gross" | "fee" | "vat"> & { currency: string }
type Written<Line = SettlementLine & { month: string }> = Decided<Line> & { id: string }
type Counted = { fresh: number; known: number; skipped: number; postings: number; errors: FieldError[] }

/**
 * Writes what a part of a file says: lines that are new, each with the money that it is, and one posting for each currency.
 * `sql` holds the locks of the source and of the import.
 */
export async function writeBatch(sql: Sql, { tenant, held, results, agreements }: Batch): Promise<Counted> {
  const { source } = held
  const lines = results.flatMap((result) => (result.outcome === "line" ? [result.line] : []))
  const { fresh, known, changed } = await sortLines(sql, tenant, held, lines)
  const calendar = await calendarOf(sql, tenant, source)
  const undecided = { source, lines: fresh, import_id: held.id, agreements, zone: calendar.zone }
  const decided = (await decideLines(sql, tenant, undecided)).map((one) => {
    const month = countsIn(one.line.occurred_at, calendar)
    return { ...inMonth(one, { source, month }, calendar), line: { ...one.line, month }, id: newOrderedId("gsl") }
  })
  const postings = await postingsOf(sql, tenant, held, decided)
  await insertLines(sql, tenant, held.id, source, decided, idsOf(postings))
  await insertAllocations(sql, tenant, broughtBy(decided), held.created_by)
  await post(sql, postings)
  const errors = results.flatMap((result) => (result.outcome === "error" ? result.errors : []))
  return {
    fresh: fresh.length,
    known: known.length,
    skipped: results.filter(({ outcome }) => outcome === "skipped").length,
    postings: postings.length,
    errors: [...errors, ...changed.map(changedError)],
  }
}

type Again = Omit<Batch, "tenant" | "results"> & { tenant: Tenant & By; rows: readonly LineRow[] }

/**
 * Looks again at unknown lines of an import: those that are found now are matched, as when they came. Answers how many,
 * and how many postings they have. `sql` holds the locks of the source and of the import.
 */
export async function rematchLines(
  sql: Sql,
  { tenant, held, rows, agreements }: Again
): Promise<{ matched: number; postings: number }> {
  const lines = rows.map((row) => ({ ...row, ...minorOf(row) }))
  const { source, id: import_id } = held
  const calendar = await calendarOf(sql, tenant, source)
  const decided = await decideLines(sql, tenant, { source, lines, import_id, agreements, zone: calendar.zone })
  const changed = decided
    .filter(({ line, decision }) => decision.state !== "unknown" || decision.reasons[0] !== line.reasons[0])
    .map((one) => ({ ...inMonth(one, { source, month: one.line.month }, calendar), id: one.line.id }))
  const postings = await postingsOf(sql, tenant, held, changed)
  const ids = idsOf(postings)
  const updates = changed.map(({ id, line, decision }) => ({ id, ...decidedColumns(decision, line.currency, ids) }))
  await sql.query(
    `UPDATE gateway_settlement_line l SET state = one.state, reasons = one.reasons, subject = one.subject,
       transaction_id = one.transaction_id, expected_minor = one.expected_minor, booked_minor = one.booked_minor,
       agreed_fee_minor = one.agreed_fee_minor, agreed_vat_minor = one.agreed_vat_minor, posted_as = one.posted_as,
       updated_at = now()
     FROM json_to_recordset($1::json) AS one (id text, state text, reasons text[], subject text, transaction_id text,
       expected_minor bigint, booked_minor bigint, agreed_fee_minor bigint, agreed_vat_minor bigint, posted_as text)
     WHERE l.id = one.id AND l.state = 'unknown'`,
    [json(updates)]
  )
  await insertAllocations(sql, tenant, broughtBy(changed), actorOf(tenant).id)
  await post(sql, postings)
  return { matched: updates.filter(({ state }) => state !== "unknown").length, postings: postings.length }
}

/** A line whose own month is closed counts in a later one. A bank, whose line brings settlements, closes no months. */
function inMonth<Line extends { occurred_at: Date }>(
  decided: Decided<Line>,
  { source, month }: { source: string; month: string },
  calendar: MonthCalendar
): Decided<Line> {
  const isLate = !isBank(source) && month !== monthAt(decided.line.occurred_at, calendar)
  return isLate ? { ...decided, decision: ofAnotherPeriod(decided.decision) } : decided
}

/** One posting for each currency of those that are in the ledger now. */
async function postingsOf(
  sql: Sql,
  tenant: Tenant,
  { id, source, postings }: SettlementImport,
  decided: readonly Written<MovedLine>[]
): Promise<Posting[]> {
  const now = await tenantNow(sql, tenant)
  const moved = decided.filter(({ decision }) => decision.state !== "unknown")
  const sums = sumsByCurrency(moved.map(({ line, decision }) => ({ ...line, ...decision })))
  return [...sums].map(([currency, all], nth) =>
    linesMatched(`${id}:${postings + nth}`, ownerOf(tenant, currency), source, all, now)
  )
}

const idsOf = (postings: readonly Posting[]) => new Map(postings.map(({ currency, id }) => [currency, id]))

function broughtBy(decided: readonly Written<{ currency: string }>[]) {
  return decided.flatMap(({ id, line, brings }) =>
    brings.map((part) => ({ ...part, deposit_id: id, currency: line.currency }))
  )
}

/**
 * Lines that were never there, those that were, and those that came before with other figures. A movement that came by
 * the API and comes by a file, or the other way round, has to bring the same: a file has other words, and tax in its fee.
 */
async function sortLines(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  { source, template_id }: SettlementImport,
  lines: readonly SettlementLine[]
): Promise<Record<"fresh" | "known" | "changed", SettlementLine[]>> {
  const stored = await sql.query<{ key: string; said: string }>(
    `SELECT l.key, CASE WHEN (i.template_id IS NULL) = $5 THEN l.digest
       ELSE concat_ws(' ', l.gross_minor - l.fee_minor - l.vat_minor, l.currency) END AS said
     FROM gateway_settlement_line l JOIN gateway_settlement_import i ON i.id = l.import_id
     WHERE l.merchant_id = $1 AND l.environment = $2 AND l.source = $3 AND l.key = ANY($4)`,
    [merchant_id, environment, source, lines.map(({ key }) => key), template_id === null]
  )
  const before = new Map(stored.map(({ key, said }) => [key, said]))
  const sorted: Record<"fresh" | "known" | "changed", SettlementLine[]> = { fresh: [], known: [], changed: [] }
  for (const line of lines) {
    const said = before.get(line.key)
    const isSame = said === line.digest || said === `${line.net} ${line.currency}`
    sorted[said === undefined ? "fresh" : isSame ? "known" : "changed"].push(line)
    before.set(line.key, said ?? line.digest)
  }
  return sorted
}

function changedError({ line }: SettlementLine): FieldError {
  return { field: `lines[${line}]`, reason: messageOf("refusal.settlement_line_changed") }
}

function decidedColumns(
  { state, reasons, money, expected, booked, agreed }: Decision,
  currency: string,
  postings: ReadonlyMap<string, string>
) {
  return {
    state,
    reasons,
    subject: money?.subject ?? null,
    transaction_id: money?.transaction_id ?? null,
    expected_minor: expected?.toString() ?? null,
    booked_minor: booked.toString(),
    agreed_fee_minor: agreed?.fee.toString() ?? null,
    agreed_vat_minor: agreed?.vat.toString() ?? null,
    posted_as: state === "unknown" ? null : (postings.get(currency) ?? null),
  }
}

async function insertLines(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  import_id: string,
  source: string,
  decided: readonly Written[],
  postings: ReadonlyMap<string, string>
): Promise<void> {
  const rows = decided.map(({ id, line, decision }) => ({
    id,
    key: line.key,
    digest: line.digest,
    line: line.line,
    kind: line.kind,
    reference: line.reference,
    order_reference: line.order_reference,
    gross_minor: line.gross.toString(),
    fee_minor: line.fee.toString(),
    vat_minor: line.vat.toString(),
    currency: line.currency,
    occurred_at: line.occurred_at,
    month: line.month,
    batch: line.batch,
    description: line.description,
    ...decidedColumns(decision, line.currency, postings),
  }))
  await sql.query(
    `INSERT INTO gateway_settlement_line (id, merchant_id, environment, import_id, source, key, digest, line, kind, reference,
       order_reference, gross_minor, fee_minor, vat_minor, currency, occurred_at, month, batch, description, state, reasons, subject,
       transaction_id, expected_minor, booked_minor, agreed_fee_minor, agreed_vat_minor, posted_as)
     SELECT id, $1, $2, $3, $4, key, digest, line, kind, reference, order_reference, gross_minor, fee_minor, vat_minor, currency,
       occurred_at, month, batch, description, state, reasons, subject, transaction_id, expected_minor, booked_minor, agreed_fee_minor,
       agreed_vat_minor, posted_as
     FROM json_to_recordset($5::json) AS one (id text, key text, digest text, line int, kind text, reference text,
       order_reference text, gross_minor bigint, fee_minor bigint, vat_minor bigint, currency text, occurred_at timestamptz,
       month text, batch text, description text, state text, reasons text[], subject text, transaction_id text, expected_minor bigint,
       booked_minor bigint, agreed_fee_minor bigint, agreed_vat_minor bigint, posted_as text)`,
    [merchant_id, environment, import_id, source, json(rows)]
  )
}
