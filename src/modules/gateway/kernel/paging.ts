import type { Sql } from "./database"
import { LIMITS } from "./limits"
import type { Tenant } from "./types"

export type Window = { limit: number; offset: number }

/** One window of a list. When there are more than `LIMITS.listWindowRows`, `count` is that, and no exact number. */
export type Page<Row> = { rows: Row[]; count: number; count_is_exact: boolean }

export type ListQuery = {
  /** The table that is listed, with its alias: `gateway_event v`. */
  table: `${string} ${string}`
  /** Of the table by its alias, with `values` from $1 on. */
  where: string
  values: readonly unknown[]
  /** Total, and along an index: else every page sorts the whole table. */
  order: string
  columns: string
  /** What `columns` needs besides; joined to the rows of the window only. */
  join?: string
}

/**
 * A window of a list, and how long the list is, in a time that does not grow with the table: rows are counted up to
 * the longest list that can be paged through and no further, and only those of the window are joined.
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

/** Collects conditions and their values: `filter.add("v.event_type = ?", type)` when there is a type. */
export class Conditions {
  private readonly parts: string[] = []
  readonly values: unknown[] = []

  constructor(part: string, ...values: unknown[]) {
    this.add(part, ...values)
  }

  /** Every `?` of `part` takes one of `values`. */
  add(part: string, ...values: unknown[]): this {
    let index = 0
    this.parts.push(part.replace(/\?/g, () => `$${this.values.length + ++index}`))
    this.values.push(...values)
    return this
  }

  /** Like `add`, when there is a value. */
  when(value: unknown, part: string): this {
    return value === undefined ? this : this.add(part, value)
  }

  /**
   * `from` up to but without `to`, by the merchant's clock: `column`, of rows that were written at the real time
   * `written`. That clock only moves forward, and was never further ahead than it is now, nor do rows wait longer than
   * `late` to be written: so the range is looked for within one of real times, which have the index.
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

  /** When there are values. One value is compared by `=`: an index then gives the rows in its own order. */
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

/** A pattern for LIKE of what begins with the text. */
export function startingWith(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`
}
