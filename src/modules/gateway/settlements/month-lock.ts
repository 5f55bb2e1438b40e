import { monthStart } from "../../../i18n/days"
import { messageOf } from "../../../i18n/message"
import { json, type Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import type { Tenant } from "../kernel/types"
import { timeZoneOf } from "../merchants/records"
import {
  lastClosed,
  monthAt,
  monthOf,
  monthsFrom,
  nextMonth,
  type FixedMonth,
  type MonthCalendar,
} from "./month-calendar"
import { lockSources } from "./records"
import { isBank } from "./states"

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

/** When the months of a source begin and end. Errors: MERCHANT_NOT_FOUND. */
export async function calendarOf(sql: Sql, tenant: Tenant, source: string): Promise<MonthCalendar> {
  const zone = await timeZoneOf(sql, tenant)
  return calendarIn(zone, source, await fixedMonths(sql, tenant, isBank(source) ? null : source))
}

type OfSource = FixedMonth & { source: string }

/** The months of a source (null: of all) that were closed once, in their order. */
async function fixedMonths(sql: Sql, { merchant_id, environment }: Tenant, source: string | null): Promise<OfSource[]> {
  return sql.query<OfSource>(
    `SELECT source, month, time_zone, ends_at, state = 'closed' AS is_closed FROM gateway_settlement_month
     WHERE merchant_id = $1 AND environment = $2 AND ($3::text IS NULL OR source = $3) ORDER BY month`,
    [merchant_id, environment, source]
  )
}

function calendarIn(zone: string, source: string, months: readonly OfSource[]): MonthCalendar {
  const fixed = months.filter((one) => one.source === source)
  const last = new Map(months.filter((one) => isBank(source) || one.source === source).map((one) => [one.source, one]))
  return { zone, fixed, after: [...last.values()] }
}

type LineOfMonth = { id: string; source: string; month: string; occurred_at: Date; brought_until: string | null }

/**
 * Puts the lines of open months into the months of another time zone, in the transaction that changes it and holds the
 * merchant's row: lockSource waits for that. What is closed stays, with what deposits have brought of it, and so does a
 * line that counts in a later month than its own. Reads the lines around the beginnings of months alone.
 */
export async function moveToZone(
  sql: Sql,
  tenant: Tenant,
  { before, after }: { before: string; after: string }
): Promise<void> {
  const own = [tenant.merchant_id, tenant.environment]
  const [{ first, last }] = await sql.query<{ first: Date | null; last: Date | null }>(
    `SELECT min(occurred_at) AS first, max(occurred_at) AS last FROM gateway_settlement_line
     WHERE merchant_id = $1 AND environment = $2`,
    own
  )
  if (first === null || last === null) {
    return
  }
  const starts = monthsFrom(monthOf(first, before), nextMonth(monthOf(last, before))).map((month) =>
    [monthStart(month, before), monthStart(month, after)].sort((one, other) => one.getTime() - other.getTime())
  )
  const lines = await sql.query<LineOfMonth>(
    `SELECT l.id, l.source, l.month, l.occurred_at, (SELECT max(m.month) FROM gateway_settlement_allocation b
       JOIN gateway_settlement_month m ON m.merchant_id = b.merchant_id AND m.environment = b.environment
         AND m.source = b.source AND m.state = 'closed' WHERE b.deposit_id = l.id) AS brought_until
     FROM unnest($3::timestamptz[], $4::timestamptz[]) AS edge (begins, ends)
     JOIN gateway_settlement_line l ON l.merchant_id = $1 AND l.environment = $2
       AND l.occurred_at >= edge.begins AND l.occurred_at < edge.ends`,
    [...own, starts.map(([begins]) => begins), starts.map(([, ends]) => ends)]
  )
  const months = await fixedMonths(sql, tenant, null)
  const calendars = new Map(
    [...new Set(lines.map(({ source }) => source))].map((source) => [source, calendarIn(after, source, months)])
  )
  const moved = lines.flatMap(({ id, source, month, occurred_at, brought_until }) => {
    const calendar = calendars.get(source) as MonthCalendar
    const next = monthAt(occurred_at, calendar)
    const closed = [brought_until, lastClosed(calendar)?.month ?? null]
    const isFixed = closed.some((until) => until !== null && (month <= until || next <= until))
    const isOwn = month === monthAt(occurred_at, { ...calendar, zone: before })
    return isFixed || !isOwn || next === month ? [] : [{ id, month: next }]
  })
  await sql.query(
    `UPDATE gateway_settlement_line l SET month = one.month, updated_at = now()
     FROM json_to_recordset($1::json) AS one (id text, month text) WHERE l.id = one.id`,
    [json(moved)]
  )
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

type Brought = { source: string; month: string }
const BROUGHT = `SELECT b.source, min(l.month) AS month FROM gateway_settlement_allocation b
  JOIN gateway_settlement_line l ON l.id = b.deposit_id`

/** For what a line of a bank brings: it counts in the months of those whose settlements it brings. As above. */
export async function requireOpenDeposit(sql: Sql, tenant: Tenant, deposit_id: string): Promise<void> {
  await requireAll(
    sql,
    tenant,
    await sql.query<Brought>(`${BROUGHT} WHERE l.id = $1 AND l.month IS NOT NULL GROUP BY 1`, [deposit_id])
  )
}

/** For all lines of an import, and what they bring. As above. */
export async function requireOpenImport(sql: Sql, tenant: Tenant, source: string, import_id: string): Promise<void> {
  const [{ month }] = await sql.query<{ month: string | null }>(
    "SELECT min(month) AS month FROM gateway_settlement_line WHERE import_id = $1",
    [import_id]
  )
  if (month !== null) {
    await requireOpenMonth(sql, tenant, source, month)
  }
  await requireAll(
    sql,
    tenant,
    await sql.query<Brought>(`${BROUGHT} WHERE l.import_id = $1 AND l.month IS NOT NULL GROUP BY 1`, [import_id])
  )
}

async function requireAll(sql: Sql, tenant: Tenant, brought: readonly Brought[]): Promise<void> {
  await lockSources(
    sql,
    tenant,
    brought.map(({ source }) => source)
  )
  for (const { source, month } of brought) {
    await requireOpenMonth(sql, tenant, source, month)
  }
}
