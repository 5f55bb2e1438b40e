import { asciiDigits } from "../../../i18n/typed"
import { messageOf } from "../../../i18n/message"
import { actorOf, type By } from "../kernel/database/audit"
import type { Database, Sql } from "../kernel/database/database"
import type { Page, Totals, Window } from "../kernel/database/paging"
import { fault, GatewayError, validationError, type FieldFailure } from "../kernel/errors"
import { statedAmount, type Minor } from "../kernel/money/money"
import type { Cradle, Tenant } from "../kernel/types"
import { post, tenantNow } from "../ledger/records"
import { isWithin, namedIn, namesOf, type Allocation, type Settled } from "./deposit-rules"
import {
  holdLine,
  linesMatched,
  lockSource,
  lockSources,
  notedAllocations,
  noteSettlement,
  ownerOf,
  sumsOfRow,
  writeDecision,
  type LineRow,
} from "./records"
import { requireOpenMonth } from "./month-lock"
import type { SettlementLineService } from "./lines"
import { holdSettlements, insertAllocations, settledOf } from "./settled"
import { BANK, isBank, lineMachine, type BatchState } from "./states"

/** A settlement in one currency: what its lines bring, and what of it has come to the bank. Amounts as text, in hundredths. */
export type Batch = {
  source: string
  batch: string
  currency: string
  first_at: Date
  last_at: Date
  lines: number
  /** Lines that are not decided, and not in the amounts. */
  unknown: number
  gross: string
  fee: string
  vat: string
  net: string
  deposited: string
}

export type BatchFilter = {
  q?: string
  source?: string
  currency?: string
  month?: string
  state?: BatchState
  from?: Date
  to?: Date
  order: { descending: boolean }
}

export type NewDeposit = { allocations: readonly Allocation[]; bank_charge: Minor; note: string | null }

/** How many settlements are suggested for a deposit. */
const SUGGESTIONS = 50

/** $1 and $2 are the tenant, the others a filter; null: any. A month has the settlements of which a line counts in it. */
const BATCHES = `
  WITH of_lines AS (
    SELECT l.source, COALESCE(l.batch, l.import_id) AS batch, l.currency, min(l.occurred_at) AS first_at,
      max(l.occurred_at) AS last_at, count(*)::int AS lines, (count(*) FILTER (WHERE l.posted_as IS NULL))::int AS unknown,
      COALESCE(sum(l.gross_minor) FILTER (WHERE l.posted_as IS NOT NULL), 0) AS gross,
      COALESCE(sum(l.fee_minor) FILTER (WHERE l.posted_as IS NOT NULL), 0) AS fee,
      COALESCE(sum(l.vat_minor) FILTER (WHERE l.posted_as IS NOT NULL), 0) AS vat
    FROM gateway_settlement_line l
    WHERE l.merchant_id = $1 AND l.environment = $2 AND l.source NOT LIKE '${BANK}%'
      AND ($3::text IS NULL OR l.source = $3) AND ($4::text IS NULL OR l.currency = $4)
      AND ($5::text IS NULL OR COALESCE(l.batch, l.import_id) = $5)
    GROUP BY 1, 2, 3 HAVING $6::text IS NULL OR bool_or(l.month = $6)),
  came AS (
    SELECT a.source, a.batch, a.currency, sum(a.amount_minor) AS deposited FROM gateway_settlement_allocation a
    WHERE a.merchant_id = $1 AND a.environment = $2 GROUP BY 1, 2, 3),
  batches AS (
    SELECT o.*, o.gross - o.fee - o.vat AS net, COALESCE(c.deposited, 0) AS deposited
    FROM of_lines o LEFT JOIN came c ON c.source = o.source AND c.batch = o.batch AND c.currency = o.currency),
  listed AS (
    SELECT b.* FROM batches b
    WHERE ($7::text IS NULL OR ($7 = 'open') = (b.net <> b.deposited OR b.unknown > 0))
      AND ($8::timestamptz IS NULL OR b.last_at >= $8) AND ($9::timestamptz IS NULL OR b.last_at < $9))`
const BATCH_COLUMNS =
  "b.source, b.batch, b.currency, b.first_at, b.last_at, b.lines, b.unknown, b.gross::text AS gross, b.fee::text AS fee, b.vat::text AS vat, b.net::text AS net, b.deposited::text AS deposited"

/** Deposits in the bank: which settlements they bring, and what is still to come (decisions: Settlements). */
export class SettlementDepositService {
  private readonly database: Database
  private readonly lines: SettlementLineService

  constructor({ database, settlementLineService }: Cradle & { settlementLineService: SettlementLineService }) {
    this.database = database
    this.lines = settlementLineService
  }

  /** A window of the settlements, the one with the last line first. */
  async batches(tenant: Tenant, filter: BatchFilter, window: Window): Promise<Page<Batch>> {
    const values = filterValues(tenant, filter)
    const direction = filter.order.descending ? "DESC" : "ASC"
    const sql = window.reading === undefined ? this.database : this.database.cancelledBy(window.reading.signal)
    const rows = await sql.query<Batch>(
      `${BATCHES} SELECT ${BATCH_COLUMNS} FROM listed b WHERE b.batch IS NOT NULL
       ORDER BY b.last_at ${direction}, b.source ${direction}, b.batch ${direction}, b.currency ${direction} LIMIT $10 OFFSET $11`,
      [...values, window.limit, window.offset]
    )
    const [{ count }] = await sql.query<{ count: number }>(
      `${BATCHES} SELECT count(*)::int AS count FROM listed`,
      values
    )
    const page = { rows, count, count_is_exact: true }
    return window.totals === true ? { ...page, totals: await this.totals(values) } : page
  }

  /**
   * Settlements of which something is still to come, in a deposit's currency: those that it names first, then those of
   * exactly its amount, then the latest. Errors: SETTLEMENT_NOT_FOUND (also for a line that is no bank's).
   */
  async suggestions(tenant: Tenant, id: string): Promise<(Batch & { is_named: boolean })[]> {
    const line = await this.lines.retrieve(tenant, id)
    if (!isBank(line.source)) {
      throw new GatewayError("SETTLEMENT_NOT_FOUND")
    }
    const filter = { currency: line.currency, order: { descending: true } }
    const rows = await this.database.query<Batch>(
      `${BATCHES} SELECT ${BATCH_COLUMNS} FROM listed b WHERE b.net <> b.deposited AND b.batch IS NOT NULL
       ORDER BY position(lower(b.batch) IN lower($10)) > 0 DESC, b.net - b.deposited = $11::numeric DESC, b.last_at DESC, b.source, b.batch
       LIMIT ${SUGGESTIONS}`,
      [...filterValues(tenant, filter), textOf(line), line.gross]
    )
    const named = namedIn({ ...line, gross: BigInt(line.gross) }, namesOf(rows))
    return rows.map((row) => ({ ...row, is_named: named.some((key) => isOf(row, key)) }))
  }

  /**
   * Somebody says what a bank's line brings: parts of one or more settlements, less what the bank kept. Errors:
   * SETTLEMENT_NOT_FOUND, INVALID_STATE_TRANSITION, INVALID_REQUEST (no such settlement, more than is to come of it, or
   * sums that disagree).
   */
  async match(tenant: Tenant & By, id: string, deposit: NewDeposit): Promise<LineRow> {
    const { source } = await this.lines.retrieve(tenant, id)
    if (!isBank(source)) {
      throw new GatewayError("INVALID_REQUEST", messageOf("refusal.deposit_not_bank"))
    }
    await this.database.transaction(async (sql) => {
      await lockSource(sql, tenant, source)
      await lockSources(
        sql,
        tenant,
        deposit.allocations.map((one) => one.source)
      )
      await holdSettlements(sql, tenant, deposit.allocations)
      const line = await holdLine(sql, tenant, id)
      const { to: state } = lineMachine.require(line.state, "match")
      for (const { source: of } of deposit.allocations) {
        await requireOpenMonth(sql, tenant, of, line.month)
      }
      await this.post(sql, tenant, line, deposit)
      const { note, bank_charge } = deposit
      await writeDecision(sql, tenant, line, { state, note, posted_as: postingOf(line) })
      await noteSettlement(sql, tenant, "deposit_matched", id, {
        allocations: notedAllocations(deposit.allocations),
        bank_charge_minor: bank_charge.toString(),
        currency: line.currency,
        note,
      })
    })
    return this.lines.retrieve(tenant, id)
  }

  private async post(sql: Sql, tenant: Tenant & By, line: LineRow, deposit: NewDeposit): Promise<void> {
    const { id, currency } = line
    const settled = await settledOf(sql, tenant, deposit.allocations)
    requireRoom(
      settled.filter((one) => one.currency === currency),
      deposit.allocations,
      currency
    )
    const expected = requireSums(line, deposit).toString()
    const brought = deposit.allocations.map((one) => ({ ...one, deposit_id: id, currency }))
    await insertAllocations(sql, tenant, brought, actorOf(tenant).id)
    await sql.query("UPDATE gateway_settlement_line SET reasons = '{}', expected_minor = $2 WHERE id = $1", [
      id,
      expected,
    ])
    const now = await tenantNow(sql, tenant)
    const sums = sumsOfRow({ ...line, expected })
    await post(sql, [linesMatched(postingOf(line), ownerOf(tenant, currency), line.source, sums, now)])
  }

  private async totals(values: readonly unknown[]): Promise<Totals[]> {
    return this.database.query<Totals>(
      `${BATCHES} SELECT b.currency, jsonb_build_object('gross', sum(b.gross)::text, 'fee', sum(b.fee)::text,
         'vat', sum(b.vat)::text, 'net', sum(b.net)::text, 'deposited', sum(b.deposited)::text,
         'outstanding', sum(b.net - b.deposited)::text) AS sums
       FROM listed b GROUP BY b.currency ORDER BY b.currency`,
      values
    )
  }
}

const postingOf = ({ import_id, id, postings }: LineRow) => `${import_id}:${id}:${postings + 1}`
const textOf = ({ reference, order_reference, description }: LineRow) =>
  [reference, order_reference, description].filter((text) => text !== null).join(" ")
const isOf = (one: { source: string; batch: string }, key: { source: string; batch: string }) =>
  one.source === key.source && one.batch === key.batch

function filterValues({ merchant_id, environment }: Tenant, filter: BatchFilter): unknown[] {
  const { source, currency, month, state, from, to } = filter
  const q = filter.q === undefined ? undefined : asciiDigits(filter.q)
  return [merchant_id, environment, ...[source, currency, q, month, state, from, to].map((value) => value ?? null)]
}

/** No more of a settlement comes than its lines bring. Throws VALIDATION_ERROR that names each part that is too much. */
function requireRoom(settled: readonly Settled[], allocations: readonly Allocation[], currency: string): void {
  const wrong = allocations.flatMap((part, nth): FieldFailure[] => {
    const { batch, amount } = part
    const one = settled.find((each) => isOf(each, part))
    if (one === undefined) {
      return [fault(`allocations[${nth}].batch`, messageOf("rule.settlement_batch", { batch }))]
    }
    const outstanding = one.net - one.deposited
    const isRoom = amount < 0n === outstanding < 0n && isWithin(one.deposited + amount, one.net)
    const params = { batch, outstanding: statedAmount(outstanding, currency) }
    return isRoom ? [] : [fault(`allocations[${nth}].amount`, messageOf("rule.settlement_outstanding", params))]
  })
  if (wrong.length > 0) {
    throw validationError(wrong)
  }
}

/** What comes of settlements is what the bank's line brings and the bank keeps. Throws INVALID_REQUEST. */
function requireSums({ gross, currency }: LineRow, { allocations, bank_charge }: NewDeposit): Minor {
  const settled = allocations.reduce((sum, { amount }) => sum + amount, 0n)
  const kept = settled - BigInt(gross)
  const stated = (minor: Minor) => statedAmount(minor, currency)
  const sums = { settled: stated(settled), deposit: stated(BigInt(gross)) }
  if (kept < 0n) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.deposit_exceeds", sums), { field: "allocations" })
  }
  if (kept !== bank_charge) {
    const params = { ...sums, charge: stated(kept) }
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.deposit_charge", params), { field: "bank_charge" })
  }
  return settled
}
