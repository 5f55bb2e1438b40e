import type { By } from "../kernel/database/audit"
import { Conditions } from "../kernel/database/conditions"
import type { Database, Sql } from "../kernel/database/database"
import { pageWithTotals, sumOf, type Page, type Totals, type Window } from "../kernel/database/paging"
import { newOrderedId } from "../kernel/text/ids"
import type { Cradle, Tenant } from "../kernel/types"
import { ACCOUNTS, type Account, type PostingKind } from "../ledger/rules"
import { depositMatched, MOVED } from "../ledger/settlement-rules"
import { journalRow, journalRows, type JournalRow } from "./journal-rules"
import { calendarOf } from "./month-lock"
import { boundsOf, daysOf } from "./month-calendar"
import { DEPOSITS, isOfSource } from "./month-sums"
import { heldBy, linesMatched, noteSettlement, ownerOf, sumsOfRow, type LineRow } from "./records"
import { BANK, COURIER } from "./states"

/** An entry of what a source holds: above 0 it then held more of our money. Hundredths of the currency, as text. */
export type HeldEntry = {
  id: string
  kind: PostingKind
  amount: string
  currency: string
  transaction_id: string | null
  refund_id: string | null
  dispute_id: string | null
  occurred_at: Date
}

type HeldFilter = {
  source: string
  month: string
  figure: "payments" | "refunds" | "disputes"
  currency?: string
  order: { descending: boolean }
}
/** What a deposit brought of a settlement: `amount` came to the bank, which kept `charge`. Hundredths, as text. */
export type BroughtPart = {
  id: string
  deposit_id: string
  batch: string
  reference: string | null
  currency: string
  amount: string
  charge: string
  occurred_at: Date
}

type BroughtFilter = { source: string; month: string; currency?: string; order: { descending: boolean } }
type EntryRow = { at: Date; account: Account; currency: string; kind: PostingKind; amount: string; reference: string }
type GroupRow = Pick<LineRow, "currency" | "gross" | "fee" | "vat" | "expected" | "booked"> & {
  nth: number
  batch: string
}
type DepositRow = {
  id: string
  occurred_at: Date
  reference: string | null
  currency: string
  settled: string
  charge: string
}

const ENTRY = `e.occurred_at AS at, e.account, e.currency, e.kind, e.amount_minor::text AS amount,
  COALESCE(e.refund_id, e.dispute_id, e.transaction_id, e.posting) AS reference`
const OWN = "e.merchant_id = $1 AND e.environment = $2"
const WITHIN = "e.occurred_at >= $4 AND e.occurred_at < $5 AND e.account = ANY($6)"
const IN_ORDER = "ORDER BY e.occurred_at, e.posting, e.number"

const ENTRIES_ONLINE = `SELECT ${ENTRY} FROM gateway_ledger_entry e
  WHERE ${OWN} AND ${WITHIN} AND ${isOfSource("acquirer_clearing", "$3")} ${IN_ORDER}`
const ENTRIES_OF_COURIER = `SELECT ${ENTRY} FROM gateway_ledger_entry e
  WHERE ${OWN} AND ${WITHIN} AND ${isOfSource("cash_received", "$3")} ${IN_ORDER}`

/** Of cash that was recorded without a courier: it counts in the month of its line (month-sums.ts). */
const ENTRIES_WITHOUT_COURIER = `
  SELECT GREATEST(l.occurred_at, $5::timestamptz) AS at, e.account, e.currency, e.kind, e.amount_minor::text AS amount, e.posting AS reference
  FROM gateway_settlement_line l JOIN gateway_cash_collection c ON l.subject = 'cash:' || c.id
  JOIN gateway_ledger_posting p ON p.id = c.cash_order_id || ':' || c.id
  JOIN gateway_ledger_entry e ON e.created_at = p.created_at
    AND e.id IN (p.id || ':cash_due', p.id || ':cash_received', p.id || ':courier_charges')
  WHERE l.merchant_id = $1 AND l.environment = $2 AND l.source = $3 AND l.month = $4
    AND l.expected_minor IS NOT NULL AND c.courier IS NULL ORDER BY at, e.posting, e.number`

/** The same of an entry `e`, by the source and the month of the line. */
const WITHOUT_COURIER = `e.kind = 'cash_collected' AND EXISTS (
  SELECT 1 FROM gateway_cash_collection c JOIN gateway_settlement_line l ON l.subject = 'cash:' || c.id
  WHERE c.id = split_part(e.posting, ':', 2) AND c.courier IS NULL AND l.source = ? AND l.month = ? AND l.expected_minor IS NOT NULL)`

/** $5: when the days of the month begin. */
const GROUPS = `
  SELECT GREATEST(width_bucket(l.occurred_at, $5::timestamptz[]), 1) AS nth, COALESCE(l.batch, l.import_id) AS batch, l.currency,
    sum(l.gross_minor)::text AS gross, sum(l.fee_minor)::text AS fee, sum(l.vat_minor)::text AS vat,
    sum(COALESCE(l.expected_minor, 0))::text AS expected, sum(l.booked_minor)::text AS booked
  FROM gateway_settlement_line l
  WHERE l.merchant_id = $1 AND l.environment = $2 AND l.source = $3 AND l.month = $4 AND l.posted_as IS NOT NULL
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`

const DEPOSITS_OF_MONTH = `
  SELECT d.id, d.occurred_at, d.reference, d.currency, sum(d.settled)::text AS settled, sum(d.charge)::text AS charge
  FROM (${DEPOSITS}) d WHERE d.source = $3 AND d.month = $4 GROUP BY 1, 2, 3, 4 ORDER BY d.occurred_at, d.id`

/** $5: a currency; null: any. */
const PARTS_OF_MONTH = `
  WITH part AS (SELECT d.*, d.settled - d.charge AS amount FROM (${DEPOSITS}) d
    WHERE d.source = $3 AND d.month = $4 AND ($5::text IS NULL OR d.currency = $5))`

/** What a bank ($3) has kept or paid by itself: it is of no settlement, so of no source's month. */
const CHARGES = `
  SELECT l.id, l.occurred_at, l.reference, l.currency, '0' AS settled, (-l.gross_minor)::text AS charge
  FROM gateway_settlement_line l
  WHERE l.merchant_id = $1 AND l.environment = $2 AND l.source = $3 AND l.month = $4 AND l.posted_as IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM gateway_settlement_allocation b WHERE b.deposit_id = l.id) ORDER BY l.occurred_at, l.id`

type Day = { date: string; from: Date }

/** The day of a month in which a moment is; of what counts in the month and is not within it, the first or the last. */
function dayOf(at: Date, days: readonly Day[]): string {
  return (days.filter(({ from }) => from <= at).at(-1) ?? days[0]).date
}

/** What a source's months are made of, entry by entry, and as accountants read it (decisions: Settlements). */
export class SettlementJournalService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** A window of the entries behind a figure of what a source held: its payments, refunds or disputes of a month. */
  async held(tenant: Tenant, filter: HeldFilter, window: Window): Promise<Page<HeldEntry>> {
    const { source, month, figure, currency, order } = filter
    const { from, to } = boundsOf(month, await calendarOf(this.database, tenant, source))
    const held = heldBy(source)
    // Beside the days, entries of any time would be read: only couriers have them.
    const loose = source.startsWith(COURIER)
      ? { sql: ` OR ${WITHOUT_COURIER}`, values: [source, month] }
      : { sql: "", values: [] }
    const kinds = Object.entries(MOVED).flatMap(([kind, moved]) => (moved === figure ? [kind] : []))
    const { where, values } = new Conditions(
      "e.merchant_id = ? AND e.environment = ?",
      tenant.merchant_id,
      tenant.environment
    )
      .add("e.account = ?", held)
      .add(
        `(e.occurred_at >= ? AND e.occurred_at < ? AND ${isOfSource(held, "?")}${loose.sql})`,
        ...[from, to, source, ...loose.values]
      )
      .oneOf("e.kind", kinds)
      .when(currency, "e.currency = ?")
    const direction = order.descending ? "DESC" : "ASC"
    return pageWithTotals<HeldEntry>(
      this.database,
      {
        table: "gateway_ledger_entry e",
        where,
        values,
        order: `e.occurred_at ${direction}, e.number ${direction}`,
        key: "e.occurred_at, e.number",
        columns:
          "e.id, e.kind, (-e.amount_minor)::text AS amount, e.currency, e.transaction_id, e.refund_id, e.dispute_id, e.occurred_at",
        sums: { currency: "e.currency", amounts: [sumOf("amount", "-e.amount_minor", "true")] },
      },
      window
    )
  }

  /** A window of what deposits of a month brought of a source: of a deposit for several sources its own part. */
  async brought(tenant: Tenant, filter: BroughtFilter, window: Window): Promise<Page<BroughtPart>> {
    const { source, month, currency = null, order } = filter
    const values = [tenant.merchant_id, tenant.environment, source, month, currency]
    const direction = order.descending ? "DESC" : "ASC"
    const sql = window.reading === undefined ? this.database : this.database.cancelledBy(window.reading.signal)
    const rows = await sql.query<BroughtPart>(
      `${PARTS_OF_MONTH} SELECT p.id || '/' || p.batch AS id, p.id AS deposit_id, p.batch, p.reference, p.currency,
         p.amount::text AS amount, p.charge::text AS charge, p.occurred_at FROM part p
       ORDER BY p.occurred_at ${direction}, p.id ${direction}, p.batch ${direction} LIMIT $6 OFFSET $7`,
      [...values, window.limit, window.offset]
    )
    const totals = await sql.query<Totals & { count: number }>(
      `${PARTS_OF_MONTH} SELECT p.currency, count(*)::int AS count,
         jsonb_build_object('amount', sum(p.amount)::text, 'charge', sum(p.charge)::text) AS sums
       FROM part p GROUP BY p.currency ORDER BY p.currency`,
      values
    )
    const count = totals.reduce((sum, one) => sum + one.count, 0)
    return {
      ...{ rows, count, count_is_exact: true },
      ...(window.totals === true && { totals: totals.map(({ currency: of, sums }) => ({ currency: of, sums })) }),
    }
  }

  /**
   * The journal of a source's month, day by day: what moved at the source, what it settled, what came to the bank; of a
   * bank, what it charges apart from settlements. Every reference of a day adds up to zero, and all months together are
   * what the accounts of the ledger say of the source.
   */
  async *journal(tenant: Tenant, source: string, month: string, signal: AbortSignal): AsyncGenerator<JournalRow[]> {
    const sql = this.database.cancelledBy(signal)
    const own = [tenant.merchant_id, tenant.environment, source]
    const calendar = await calendarOf(sql, tenant, source)
    const { from, to } = boundsOf(month, calendar)
    const days = daysOf(month, calendar)
    const later = [
      ...(await settled(sql, tenant, { source, month, days })),
      ...(await deposited(sql, tenant, { source, month, days })),
    ]
    const loose = await sql.query<EntryRow>(ENTRIES_WITHOUT_COURIER, [...own, month, from])
    for (const [nth, { date, from: begins }] of days.entries()) {
      const values = [...own, begins, days[nth + 1]?.from ?? to, [...ACCOUNTS]]
      const entries = source.startsWith(COURIER)
        ? await sql.query<EntryRow>(ENTRIES_OF_COURIER, values)
        : await sql.query<EntryRow>(ENTRIES_ONLINE, values)
      const also = loose.filter((entry) => dayOf(entry.at, days) === date)
      yield [
        ...[...entries, ...also].map(({ account, currency, kind, amount, reference }) =>
          journalRow({ date, kind, currency, reference }, account, BigInt(amount))
        ),
        ...later.filter((row) => row.date === date),
      ]
    }
  }

  /** The numbers that the merchant's accountant has for the ledger's accounts, in their order; null: none. */
  async accounts({ merchant_id, environment }: Tenant): Promise<{ account: Account; number: string | null }[]> {
    const rows = await this.database.query<{ account: Account; number: string }>(
      "SELECT account, number FROM gateway_settlement_account WHERE merchant_id = $1 AND environment = $2",
      [merchant_id, environment]
    )
    const numbers = new Map(rows.map(({ account, number }) => [account, number]))
    return ACCOUNTS.map((account) => ({ account, number: numbers.get(account) ?? null }))
  }

  /** Sets the number of an account; null: it has none. */
  async number(tenant: Tenant & By, account: Account, number: string | null): Promise<void> {
    const { merchant_id, environment } = tenant
    await this.database.transaction(async (sql) => {
      if (number === null) {
        await sql.query(
          "DELETE FROM gateway_settlement_account WHERE merchant_id = $1 AND environment = $2 AND account = $3",
          [merchant_id, environment, account]
        )
      } else {
        await sql.query(
          `INSERT INTO gateway_settlement_account (id, merchant_id, environment, account, number) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (merchant_id, environment, account) DO UPDATE SET number = excluded.number, updated_at = now()`,
          [newOrderedId("gac"), merchant_id, environment, account, number]
        )
      }
      await noteSettlement(sql, tenant, "account_numbered", account, { account, number })
    })
  }
}

type OfMonth = { source: string; month: string; days: readonly Day[] }

/** A line of an earlier month, which is closed, is in the journal on the first day of the month in which it counts. */
async function settled(sql: Sql, tenant: Tenant, { source, month, days }: OfMonth): Promise<JournalRow[]> {
  if (source.startsWith(BANK)) {
    return []
  }
  const begins = days.map(({ from }) => from)
  const groups = await sql.query<GroupRow>(GROUPS, [tenant.merchant_id, tenant.environment, source, month, begins])
  return groups.flatMap(({ nth, batch, ...sums }) => {
    const posting = linesMatched(batch, ownerOf(tenant, sums.currency), source, sumsOfRow(sums), begins[0])
    return journalRows({ date: days[nth - 1].date, reference: batch }, posting)
  })
}

async function deposited(sql: Sql, tenant: Tenant, { source, month, days }: OfMonth): Promise<JournalRow[]> {
  const deposits = source.startsWith(BANK) ? CHARGES : DEPOSITS_OF_MONTH
  const rows = await sql.query<DepositRow>(deposits, [tenant.merchant_id, tenant.environment, source, month])
  return rows.flatMap(({ id, occurred_at, reference, currency, ...sums }) => {
    const [brought, charge] = [BigInt(sums.settled), BigInt(sums.charge)]
    const posting = depositMatched(
      id,
      ownerOf(tenant, currency),
      { settled: brought, amount: brought - charge },
      occurred_at
    )
    return journalRows({ date: dayOf(occurred_at, days), reference: reference ?? id }, posting)
  })
}
