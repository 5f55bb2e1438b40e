import { messageOf, type Message } from "../../../i18n/message"
import { actorOf, type By } from "../kernel/database/audit"
import { json, type Database, type Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { newOrderedId } from "../kernel/text/ids"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import { tenantNow } from "../ledger/records"
import {
  BEGINNING,
  boundsOf,
  isOver,
  monthAt,
  monthsFrom,
  nextMonth,
  zoneOf,
  type MonthCalendar,
} from "./month-calendar"
import {
  carriedBy,
  figuresOf,
  monthsOf,
  SUMS,
  type Carried,
  type Figures,
  type MonthPart,
  type MonthSums,
} from "./month-rules"
import { readSums } from "./month-sums"
import { calendarOf, closedUntil, moveToZone } from "./month-lock"
import { lockSource, noteSettlement } from "./records"
import { isBank, monthMachine, type MonthState } from "./states"

/** Who closed a month, and who reopened it; times on the merchant's clock. */
export type Closing = {
  closed_by: string
  closed_at: Date
  note: string | null
  reopened_by: string | null
  reopened_at: Date | null
  reopened_note: string | null
}
/** A month of a source; a closed one has the figures that it had then. */
export type SourceMonth = {
  source: string
  month: string
  state: MonthState
  figures: Figures[]
  /** null: nobody has closed it yet. */
  closing: Closing | null
}

/** Amounts as text: JSON has no bigint. */
type StoredPart = { currency: string; carried: Record<keyof Carried, string>; sums: Record<keyof MonthSums, string> }
type MonthRow = Closing & { month: string; state: MonthState; figures: StoredPart[] }
type Own = { source: string; now: Date }
type Month = { month: string; parts: MonthPart[] }

const COLUMNS = "month, state, figures, closed_by, closed_at, note, reopened_by, reopened_at, reopened_note"

/** The months of sources: their figures, and closing them (decisions: Settlements). */
export class SettlementMonthService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Every month of a source since the first in which anything moved, the newest first; a bank has none. */
  async list(tenant: Scope, source: string): Promise<SourceMonth[]> {
    return this.read(this.database, tenant, { source, now: tenant.now })
  }

  /** Throws SETTLEMENT_NOT_FOUND for a month in which, and before which, nothing of the source moved, or one to come. */
  async retrieve(tenant: Scope, source: string, month: string): Promise<SourceMonth> {
    return found(await this.list(tenant, source), month)
  }

  /**
   * Closes a month, and with it those before it that have no lines: its figures stay, and nothing that counts in it may
   * change. Errors: SETTLEMENT_NOT_FOUND, INVALID_STATE_TRANSITION (closed already; not over; with unknown or differing
   * lines; after an open month with lines; while a file of the source is read).
   */
  async close(tenant: Scope & By, source: string, month: string, note: string | null): Promise<SourceMonth> {
    await this.database.transaction(async (sql) => {
      await lockSource(sql, tenant, source)
      const now = await tenantNow(sql, tenant)
      const months = await this.read(sql, tenant, { source, now })
      const of = found(months, month)
      monthMachine.require(of.state, "close")
      const calendar = await calendarOf(sql, tenant, source)
      refuseIf(!isOver(month, now, calendar), messageOf("refusal.month_not_over", { month }))
      const before = months.filter((one) => one.month < month && one.state === "open")
      const earlier = before.filter(({ figures }) => figures.some(hasLines)).at(-1)
      refuseIf(earlier !== undefined, messageOf("refusal.month_before_open", { month: earlier?.month ?? month }))
      const open = of.figures.reduce((sum, { unexplained }) => sum + unexplained.unknown + unexplained.differs, 0)
      refuseIf(open > 0, messageOf("refusal.month_unexplained", { month, count: open }))
      const file = await beingRead(sql, tenant, source)
      refuseIf(file !== null, messageOf("refusal.month_importing", { source, file: file ?? "" }))
      const parts = await this.open(sql, tenant, { source, now })
      for (const one of parts.filter((part) => part.month <= month)) {
        await write(sql, tenant, { source, calendar, note, now }, one)
      }
      await noteSettlement(sql, tenant, "month_closed", `${source}:${month}`, { source, month, note })
    })
    return this.retrieve(tenant, source, month)
  }

  /** Opens the last closed month of a source again. Errors: SETTLEMENT_NOT_FOUND, INVALID_STATE_TRANSITION. */
  async reopen(tenant: Scope & By, source: string, month: string, note: string): Promise<SourceMonth> {
    const { merchant_id, environment } = tenant
    await this.database.transaction(async (sql) => {
      await lockSource(sql, tenant, source)
      const now = await tenantNow(sql, tenant)
      const of = found(await this.read(sql, tenant, { source, now }), month)
      const { to } = monthMachine.require(of.state, "reopen")
      const last = (await closedUntil(sql, tenant, source)) ?? month
      refuseIf(last !== month, messageOf("refusal.month_after_closed", { month: last }))
      await sql.query(
        `UPDATE gateway_settlement_month SET state = $5, reopened_by = $6, reopened_at = $7, reopened_note = $8, updated_at = now()
         WHERE merchant_id = $1 AND environment = $2 AND source = $3 AND month = $4`,
        [merchant_id, environment, source, month, to, actorOf(tenant).id, now, note]
      )
      await noteSettlement(sql, tenant, "month_reopened", `${source}:${month}`, { source, month, note })
    })
    return this.retrieve(tenant, source, month)
  }

  /** For whoever changes a merchant's time zone, in the same transaction: open months are those of the new one. */
  readonly moveToZone = moveToZone

  private async read(sql: Sql, tenant: Tenant, own: Own): Promise<SourceMonth[]> {
    const { source } = own
    if (isBank(source)) {
      return []
    }
    const rows = await rowsOf(sql, tenant, source)
    const byMonth = new Map(rows.map((row) => [row.month, row]))
    const closed = rows.filter(({ state }) => state === "closed").map(({ month, figures }) => partsOf(month, figures))
    return [...closed, ...(await this.open(sql, tenant, own, rows))]
      .map(({ month, parts }): SourceMonth => {
        const figures = parts.map(({ currency, carried, sums }) => figuresOf(currency, carried, sums))
        const row = byMonth.get(month)
        return {
          source,
          month,
          state: row?.state ?? "open",
          figures,
          closing: row === undefined ? null : closingOf(row),
        }
      })
      .reverse()
  }

  /** The months after the last closed one, oldest first, up to the present or the last in which anything counts. */
  private async open(sql: Sql, tenant: Tenant, { source, now }: Own, known?: MonthRow[]): Promise<Month[]> {
    const rows = known ?? (await rowsOf(sql, tenant, source))
    const last = rows.filter(({ state }) => state === "closed").at(-1)
    const first = last === undefined ? BEGINNING : nextMonth(last.month)
    const calendar = await calendarOf(sql, tenant, source)
    const sums = await readSums(sql, tenant, { source, calendar, now }, first)
    const months = [...sums.keys()].map((key) => key.split(" ")[0]).sort()
    const opening = new Map(
      last === undefined
        ? []
        : partsOf(last.month, last.figures).parts.map(({ currency, carried, sums: own }) => [
            currency,
            carriedBy(figuresOf(currency, carried, own)),
          ])
    )
    const present = monthAt(now, calendar)
    const begin = last === undefined ? months[0] : first
    const end = [present, ...months].reduce((one, other) => (one > other ? one : other))
    return begin === undefined ? [] : monthsOf(monthsFrom(begin, end), sums, opening)
  }
}

function found(months: readonly SourceMonth[], month: string): SourceMonth {
  const of = months.find((one) => one.month === month)
  if (of === undefined) {
    throw new GatewayError("SETTLEMENT_NOT_FOUND")
  }
  return of
}

function refuseIf(isWrong: boolean, reason: Message): void {
  if (isWrong) {
    throw new GatewayError("INVALID_STATE_TRANSITION", reason)
  }
}

function hasLines({ lines, unexplained }: Figures): boolean {
  return lines + unexplained.unknown > 0
}

/**
 * A file of the source that is not read to its end, however long it has been silent: more of its lines may count in the
 * month. null: there is none.
 */
async function beingRead(sql: Sql, { merchant_id, environment }: Tenant, source: string): Promise<string | null> {
  const [row] = await sql.query<{ file_name: string }>(
    `SELECT file_name FROM gateway_settlement_import
     WHERE merchant_id = $1 AND environment = $2 AND source = $3 AND state = 'reading' ORDER BY imported_at LIMIT 1`,
    [merchant_id, environment, source]
  )
  return row?.file_name ?? null
}

function rowsOf(sql: Sql, { merchant_id, environment }: Tenant, source: string): Promise<MonthRow[]> {
  return sql.query<MonthRow>(
    `SELECT ${COLUMNS} FROM gateway_settlement_month
     WHERE merchant_id = $1 AND environment = $2 AND source = $3 ORDER BY month`,
    [merchant_id, environment, source]
  )
}

async function write(
  sql: Sql,
  tenant: Tenant & By,
  { source, calendar, note, now }: { source: string; calendar: MonthCalendar; note: string | null; now: Date },
  { month, parts }: Month
): Promise<void> {
  const { merchant_id, environment } = tenant
  const figures = JSON.parse(
    JSON.stringify(parts, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value))
  ) as StoredPart[]
  await sql.query(
    `INSERT INTO gateway_settlement_month (id, merchant_id, environment, source, month, time_zone, ends_at, state, figures, closed_by, closed_at, note)
     VALUES ($1, $2, $3, $4, $5, $10, $11, 'closed', $6, $7, $8, $9)
     ON CONFLICT (merchant_id, environment, source, month) DO UPDATE
       SET state = excluded.state, time_zone = excluded.time_zone, ends_at = excluded.ends_at, figures = excluded.figures, closed_by = excluded.closed_by, closed_at = excluded.closed_at,
         note = excluded.note, updated_at = now()`,
    [
      newOrderedId("gsm"),
      merchant_id,
      environment,
      source,
      month,
      json(figures),
      actorOf(tenant).id,
      now,
      note,
      zoneOf(month, calendar),
      boundsOf(month, calendar).to,
    ]
  )
}

function partsOf(month: string, stored: readonly StoredPart[]): Month {
  const parts = stored.map(({ currency, carried, sums }) => ({
    currency,
    carried: { held: BigInt(carried.held), bank: BigInt(carried.bank) },
    sums: Object.fromEntries(SUMS.map((name) => [name, BigInt(sums[name])])) as MonthSums,
  }))
  return { month, parts }
}

function closingOf({ closed_by, closed_at, note, reopened_by, reopened_at, reopened_note }: MonthRow): Closing {
  return { closed_by, closed_at, note, reopened_by, reopened_at, reopened_note }
}
