import type { Sql } from "./database"
import { LIMITS } from "./limits"
import type { Tenant } from "./types"

export type Window = { limit: number; offset: number }

/** One window of a list. With more than `LIMITS.listWindowRows` rows, `count` is that limit and not exact. */
export type Page<Row> = { rows: Row[]; count: number; count_is_exact: boolean }

export type ListQuery = {
  /** The listed table with its alias: `gateway_event v`. */
  table: `${string} ${string}`
  /** Conditions on the table by its alias, with `values` from $1 on. */
  where: string
  values: readonly unknown[]
  /** A total order along an index: otherwise every page would sort the whole table. */
  order: string
  columns: string
  /** Other tables that `columns` needs, joined only to the rows of the window. */
  join?: string
}

/**
 * Reads a window of a list and counts the list, in a time that does not grow with the table: rows are counted only up
 * to the longest list that can be paged through, and only those of the window are joined.
 */
export async function pageOf<Row extends object>(sql: Sql, query: ListQuery, window: Window): Promise<Page<Row>> {
  const { table, where, values, order, columns, join = "" } = query
  const alias = table.split(" ")[1]
  const next = values.length + 1
  const [{ count }] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${table} WHERE ${where} LIMIT $${next}) counted`,
    [...values, LIMITS.listWindowRows + 1]
  )
  const picked = `SELECT ${alias}.* FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT $${next} OFFSET $${next + 1}`
  const rows = await sql.query<Row>(`SELECT ${columns} FROM (${picked}) ${alias} ${join} ORDER BY ${order}`, [
    ...values,
    window.limit,
    window.offset,
  ])
  return { rows, count: Math.min(count, LIMITS.listWindowRows), count_is_exact: count <= LIMITS.listWindowRows }
}

const AHEAD = `(SELECT clock_offset_seconds * interval '1 second' FROM gateway_merchant_environment WHERE merchant_id = ? AND environment = ?)`

/** Collects conditions and their values: `filter.add("v.event_type = ?", type)`. */
export class Conditions {
  private readonly parts: string[] = []
  readonly values: unknown[] = []

  constructor(part: string, ...values: unknown[]) {
    this.add(part, ...values)
  }

  /** Each `?` in `part` takes one of `values`. */
  add(part: string, ...values: unknown[]): this {
    let index = 0
    this.parts.push(part.replace(/\?/g, () => `$${this.values.length + ++index}`))
    this.values.push(...values)
    return this
  }

  /** Like `add`, but only when the value is given. */
  when(value: unknown, part: string): this {
    return value === undefined ? this : this.add(part, value)
  }

  /**
   * Restricts `column`, a time on the merchant's clock, to `from` (inclusive) until `to` (exclusive). Only the real
   * time `written` is indexed, so the range is translated to real time: the clock only moves forward, was never further
   * ahead than now, and rows are written at most `late` after the fact.
   */
  during(
    { from, to }: { from?: Date; to?: Date },
    column: string,
    written: string,
    { merchant_id, environment }: Tenant,
    late = "1 hour"
  ): this {
    if (from !== undefined) {
      this.add(`${column} >= ? AND ${written} >= ?::timestamptz - ${AHEAD}`, from, from, merchant_id, environment)
    }
    return to === undefined
      ? this
      : this.add(`${column} < ? AND ${written} < ?::timestamptz + ?::interval`, to, to, late)
  }

  /** Only when values are given. A single value is compared by `=`: an index then returns the rows in its own order. */
  oneOf(column: string, values: readonly unknown[] | undefined): this {
    if (values === undefined) {
      return this
    }
    return values.length === 1 ? this.add(`${column} = ?`, values[0]) : this.add(`${column} = ANY(?)`, values)
  }

  get where(): string {
    return this.parts.join(" AND ")
  }
}

/** A LIKE pattern for values that begin with the text. */
export function startingWith(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`
}
