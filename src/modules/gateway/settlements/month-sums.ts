import type { Sql } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"
import { depositParts } from "../ledger/records"
import { MOVED, type HeldBy } from "../ledger/settlement-rules"
import { BEGINNING, boundsOf, monthAt, monthsFrom, type MonthCalendar } from "./month-calendar"
import { sumsByMonth, type Deposited, type LineGroup, type MonthSums, type Movement } from "./month-rules"
import { isOfCourier } from "./our-money"
import { heldBy } from "./records"

type AsText<Row> = { [Name in keyof Row]: Row[Name] extends bigint ? string : Row[Name] }

const SURPLUS = "('surplus_received', 'surplus_returned')"

/**
 * SQL: whether an entry `e` is about a payment of the source: of a surplus the acquirer that has it, of cash the courier
 * that collected it. `source`: a parameter.
 */
export function isOfSource(held: HeldBy, source: string): string {
  if (held === "cash_received") {
    return `e.kind = 'cash_collected' AND EXISTS (SELECT 1 FROM gateway_cash_collection c
      WHERE c.id = split_part(e.posting, ':', 2) AND ${isOfCourier(source)})`
  }
  return `e.transaction_id IS NOT NULL AND CASE WHEN e.kind IN ${SURPLUS}
    THEN (SELECT a.acquirer FROM gateway_payment_attempt a WHERE a.id = split_part(e.posting, ':', 1))
    ELSE (SELECT t.acquirer FROM gateway_transaction t WHERE t.id = e.transaction_id) END = ${source}`
}

const OWN_ENTRIES = "e.merchant_id = $1 AND e.environment = $2"
/** $5: the beginnings of months from $4 on, $6: their names. What is before them all counts in the first. */
const MONTH = "($6::text[])[GREATEST(width_bucket(e.occurred_at, $5::timestamptz[]), 1)]"
const MONEY = `${MONTH} AS month, e.currency, e.kind, (-sum(e.amount_minor))::text AS amount`
/** An index has the first entry of an account. */
const FIRST_ENTRY =
  "SELECT min(occurred_at) AS at FROM gateway_ledger_entry WHERE merchant_id = $1 AND environment = $2 AND account = $3"

/** As `isOfSource` says, with a join: of a long time most payments are read. */
const HELD_ONLINE = `
  SELECT ${MONEY} FROM gateway_ledger_entry e JOIN gateway_transaction t ON t.id = e.transaction_id
  WHERE ${OWN_ENTRIES} AND e.account = 'acquirer_clearing' AND e.occurred_at >= $4 AND e.kind NOT IN ${SURPLUS}
    AND t.acquirer = $3 GROUP BY 1, 2, 3
  UNION ALL
  SELECT ${MONEY} FROM gateway_ledger_entry e JOIN gateway_payment_attempt a ON a.id = split_part(e.posting, ':', 1)
  WHERE ${OWN_ENTRIES} AND e.account = 'acquirer_clearing' AND e.occurred_at >= $4 AND e.kind IN ${SURPLUS}
    AND a.acquirer = $3 GROUP BY 1, 2, 3`

/** Cash that was recorded without a courier is that courier's whose line it is, from the line's month on. */
const HELD_BY_COURIER = `
  SELECT ${MONEY} FROM gateway_ledger_entry e JOIN gateway_cash_collection c ON c.id = split_part(e.posting, ':', 2)
  WHERE ${OWN_ENTRIES} AND e.account = 'cash_received' AND e.occurred_at >= $4 AND e.kind = 'cash_collected'
    AND ${isOfCourier("$3")} GROUP BY 1, 2, 3
  UNION ALL
  SELECT l.month, l.currency, 'cash_collected', sum(l.expected_minor - l.booked_minor)::text
  FROM gateway_settlement_line l JOIN gateway_cash_collection c ON l.subject = 'cash:' || c.id
  WHERE l.merchant_id = $1 AND l.environment = $2 AND l.source = $3 AND l.month >= $7
    AND l.expected_minor IS NOT NULL AND c.courier IS NULL GROUP BY 1, 2`

const LINES = `
  SELECT l.month, l.currency, l.kind, l.state, count(*)::int AS count, sum(l.gross_minor)::text AS gross,
    sum(l.fee_minor)::text AS fee, sum(l.vat_minor)::text AS vat, sum(COALESCE(l.expected_minor, 0))::text AS expected,
    sum(l.booked_minor)::text AS booked, sum(COALESCE(l.agreed_fee_minor, l.fee_minor))::text AS agreed_fee,
    sum(COALESCE(l.agreed_vat_minor, l.vat_minor))::text AS agreed_vat
  FROM gateway_settlement_line l
  WHERE l.merchant_id = $1 AND l.environment = $2 AND l.source = $3 AND l.month >= $4 GROUP BY 1, 2, 3, 4`

/** What each deposit brings of its settlements, of those deposits that bring something of a source. */
export const DEPOSITS = depositParts(`l.merchant_id = $1 AND l.environment = $2 AND l.month >= $4
  AND l.id IN (SELECT a.deposit_id FROM gateway_settlement_allocation a
    WHERE a.merchant_id = $1 AND a.environment = $2 AND a.source = $3)`)

const BROUGHT = `
  SELECT month, currency, sum(settled)::text AS settled, sum(charge)::text AS charge FROM (${DEPOSITS}) deposits
  WHERE source = $3 GROUP BY 1, 2`

/** The sums of a source's months from `first` on, up to that of `now`, by `2026-11 BDT` (month-rules.ts). */
export async function readSums(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  { source, calendar, now }: { source: string; calendar: MonthCalendar; now: Date },
  first: string
): Promise<Map<string, MonthSums>> {
  const own = [merchant_id, environment, source]
  const { from } = boundsOf(first, calendar)
  const account = heldBy(source)
  const present = monthAt(now, calendar)
  const [{ at }] =
    first === BEGINNING
      ? await sql.query<{ at: Date | null }>(FIRST_ENTRY, [merchant_id, environment, account])
      : [{ at: null }]
  const begin = first !== BEGINNING ? first : at === null ? present : monthAt(at, calendar)
  const months = monthsFrom(begin, begin > present ? begin : present)
  const held = [...own, from, months.map((month) => boundsOf(month, calendar).from), months]
  const moved =
    account === "cash_received"
      ? await sql.query<AsText<Movement>>(HELD_BY_COURIER, [...held, first])
      : await sql.query<AsText<Movement>>(HELD_ONLINE, held)
  const lines = await sql.query<AsText<LineGroup>>(LINES, [...own, first])
  const deposits = await sql.query<AsText<Deposited>>(BROUGHT, [...own, first])
  return sumsByMonth(
    moved.filter(({ kind }) => MOVED[kind] !== null).map((row) => ({ ...row, amount: BigInt(row.amount) })),
    lines.map((row) => ({
      ...row,
      gross: BigInt(row.gross),
      fee: BigInt(row.fee),
      vat: BigInt(row.vat),
      expected: BigInt(row.expected),
      booked: BigInt(row.booked),
      agreed_fee: BigInt(row.agreed_fee),
      agreed_vat: BigInt(row.agreed_vat),
    })),
    deposits.map((row) => ({ ...row, settled: BigInt(row.settled), charge: BigInt(row.charge) }))
  )
}
