import { messageOf } from "../../../i18n/message"
import { json, type Sql } from "../kernel/database/database"
import type { FieldError } from "../kernel/errors"
import { newOrderedId } from "../kernel/text/ids"
import type { Tenant } from "../kernel/types"
import { post, tenantNow } from "../ledger/records"
import { settlementMatched } from "../ledger/settlement-rules"
import type { LineResult, SettlementLine } from "./files/lines"
import { findOurMoney, type Found } from "./our-money"
import { countsIn, monthOf } from "./month-rules"
import { closedUntil, ownerOf, settledSums, sumsByCurrency, type SettlementImport } from "./records"
import { decideLine, ofAnotherPeriod, type Decision, type FeeAgreement } from "./rules"

type Batch = {
  tenant: Tenant
  source: string
  held: SettlementImport
  results: readonly LineResult[]
  agreements: readonly FeeAgreement[]
}
type Decided = { id: string; line: SettlementLine; month: string; decision: Decision }
type Counted = { fresh: number; known: number; skipped: number; postings: number; errors: FieldError[] }

/**
 * Writes what a part of a file says: lines that are new, each with the money that it is, and one posting for each currency.
 * `sql` holds the locks of the source and of the import.
 */
export async function writeBatch(sql: Sql, { tenant, source, held, results, agreements }: Batch): Promise<Counted> {
  const lines = results.flatMap((result) => (result.outcome === "line" ? [result.line] : []))
  const { fresh, known, changed } = await sortLines(sql, tenant, source, lines)
  const decided = await decideAll(sql, tenant, source, fresh, agreements)
  const now = await tenantNow(sql, tenant)
  const moved = decided.filter(({ decision }) => decision.state !== "unknown")
  const postings = sumsByCurrency(
    moved.map(({ line, decision }) => ({
      currency: line.currency,
      sums: settledSums({ source, ...line, expected: decision.expected, booked: decision.booked }),
    }))
  ).map(({ currency, sums }, nth) =>
    settlementMatched(`${held.id}:${held.postings + nth}`, ownerOf(tenant, currency), sums, now)
  )
  const ids = new Map(postings.map(({ currency, id }) => [currency, id]))
  await insertLines(sql, tenant, held.id, source, decided, ids)
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

/** Lines that were never there, those that were, and those that came before with other figures. */
async function sortLines(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  source: string,
  lines: readonly SettlementLine[]
): Promise<Record<"fresh" | "known" | "changed", SettlementLine[]>> {
  const stored = await sql.query<{ key: string; digest: string }>(
    `SELECT key, digest FROM gateway_settlement_line
     WHERE merchant_id = $1 AND environment = $2 AND source = $3 AND key = ANY($4)`,
    [merchant_id, environment, source, lines.map(({ key }) => key)]
  )
  const digests = new Map(stored.map(({ key, digest }) => [key, digest]))
  const sorted: Record<"fresh" | "known" | "changed", SettlementLine[]> = { fresh: [], known: [], changed: [] }
  for (const line of lines) {
    const digest = digests.get(line.key)
    sorted[digest === undefined ? "fresh" : digest === line.digest ? "known" : "changed"].push(line)
    digests.set(line.key, digest ?? line.digest)
  }
  return sorted
}

function changedError({ line }: SettlementLine): FieldError {
  return { field: `lines[${line}]`, reason: messageOf("refusal.settlement_line_changed") }
}

/** What each line is; a line that is decided earlier takes its money from the later ones. */
async function decideAll(
  sql: Sql,
  tenant: Tenant,
  source: string,
  lines: readonly SettlementLine[],
  agreements: readonly FeeAgreement[]
): Promise<Decided[]> {
  const found = await findOurMoney(sql, tenant, source, {
    references: lines.flatMap(({ reference }) => reference ?? []),
    order_references: lines.flatMap(({ order_reference }) => order_reference ?? []),
  })
  const byNumber = new Map<string, Found[]>()
  found.forEach((one) => byNumber.set(one.number, [...(byNumber.get(one.number) ?? []), one]))
  const taken = new Set<string>()
  const closed = await closedUntil(sql, tenant, source)
  return lines.map((line) => {
    const ours = moneyOf(line, byNumber).map((one) => ({ ...one, is_taken: one.is_taken || taken.has(one.subject) }))
    const decision = decideLine(line, ours, agreements)
    if (decision.money !== null) {
      taken.add(decision.money.subject)
    }
    const month = countsIn(line.occurred_at, closed)
    const isLate = month !== monthOf(line.occurred_at)
    return { id: newOrderedId("gsl"), line, month, decision: isLate ? ofAnotherPeriod(decision) : decision }
  })
}

/** What has one of the line's numbers, each once: two numbers may name the same money. */
function moneyOf({ reference, order_reference }: SettlementLine, byNumber: ReadonlyMap<string, Found[]>): Found[] {
  const found = [reference, order_reference].flatMap((number) => byNumber.get(number ?? "") ?? [])
  return [...new Map(found.map((one) => [one.subject, one])).values()]
}

async function insertLines(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  import_id: string,
  source: string,
  decided: readonly Decided[],
  postings: ReadonlyMap<string, string>
): Promise<void> {
  const rows = decided.map(({ id, line, month, decision }) => ({
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
    month,
    batch: line.batch,
    description: line.description,
    state: decision.state,
    reasons: decision.reasons,
    subject: decision.money?.subject ?? null,
    transaction_id: decision.money?.transaction_id ?? null,
    expected_minor: decision.expected?.toString() ?? null,
    booked_minor: decision.booked.toString(),
    agreed_fee_minor: decision.agreed?.fee.toString() ?? null,
    agreed_vat_minor: decision.agreed?.vat.toString() ?? null,
    posted_as: decision.state === "unknown" ? null : (postings.get(line.currency) ?? null),
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
