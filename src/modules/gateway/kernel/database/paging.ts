import type { Database, Sql } from "./database"
import { LIMITS } from "../limits"
import { allRows, firstCompared, foundIds, foundRows, type Source, type TextSearch } from "./text-search"

/** The place of a row in the order of its list, as JSON from which PostgreSQL reads the same values again. */
export type PageKey = readonly (string | number)[]

/** Makes what every page of a reading needs when the first page asks for it. */
type Once = <Made>(make: () => Promise<Made>) => Promise<Made>

export function once(): Once {
  let made: Promise<unknown> | undefined
  return <Made>(make: () => Promise<Made>) => (made ??= make()) as Promise<Made>
}

/**
 * `reading` reads a whole list page by page: `after` is the last key of the page before, null at the beginning, and a
 * statement under way ends when `signal` is aborted. `totals` adds up the list's amounts.
 */
export type Window = {
  limit: number
  offset: number
  totals?: boolean
  reading?: { after: PageKey | null; signal: AbortSignal; once: Once }
}

/** The sums of a list's amounts in one currency, in its hundredths, as text of any length. */
export type Totals = { currency: string; sums: Record<string, string> }

/**
 * One window of a list. With more than `LIMITS.listWindowRows` rows, `count` is that limit and not exact. `next` is
 * where the next page of a `reading` begins; null: this is the last one. A list of few rows has none, and is read by
 * `offset`.
 */
export type Page<Row> = {
  rows: Row[]
  count: number
  count_is_exact: boolean
  totals?: Totals[]
  next?: PageKey | null
}

export type ListQuery = {
  /** The listed table with its alias: `gateway_event v`. */
  table: `${string} ${string}`
  /** Conditions on the table by its alias, with `values` from $1 on. */
  where: string
  values: readonly unknown[]
  /**
   * A total order along an index: otherwise every page would sort the whole table. Each column ends in ASC or DESC, all
   * in the same, and none of them is ever null.
   */
  order: string
  /** The columns of `order` alone: a row's place in the list. */
  key: string
  columns: string
  /** Other tables that `columns` needs, joined only to the rows of the window. */
  join?: string
  /** Narrows the list to what a text finds. */
  search?: TextSearch
  /** How many rows the list has, up to one more than it shows, where that is known already. */
  counted?: number
  /** Finds the ids of a window's rows in a faster way than by `where`; null: there is none for this window. */
  idsOf?: (window: Window) => Promise<string[] | null>
}

/** The listed table's currency, and what is added up, each by `sumOf`. */
type Sums = { currency: string; amounts: readonly string[] }

/** One of the sums of a list: of an expression, over the rows that count in it. `name` is the one that totals have. */
export function sumOf(name: string, amount: string, where: string): string {
  return `'${name}', COALESCE(sum(${amount}) FILTER (WHERE ${where}), 0)::text`
}

/**
 * Reads a window of a list and counts the list, in a time that does not grow with the table: rows are counted only up
 * to the longest list that can be paged through, and only those of the window are joined.
 */
export async function pageOf<Row extends object>(
  database: Database,
  query: ListQuery,
  window: Window
): Promise<Page<Row>> {
  if (window.reading !== undefined) {
    return pageAfter(database, query, window.limit, window.reading)
  }
  const { search } = query
  if (search !== undefined) {
    return pageFound(database, query, search, window)
  }
  const all = allRows(query)
  const count = query.counted ?? (await countOf(database, all))
  const ids = (await query.idsOf?.(window)) ?? null
  const rows =
    ids === null ? await rowsOf<Row>(database, query, all, window, count) : await rowsById<Row>(database, query, ids)
  return { rows, ...counted(count) }
}

function counted(count: number): { count: number; count_is_exact: boolean } {
  return { count: Math.min(count, LIMITS.listWindowRows), count_is_exact: count <= LIMITS.listWindowRows }
}

async function countOf(sql: Sql, { from, where, values }: Source): Promise<number> {
  const [{ count }] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT $${values.length + 1}) counted`,
    [...values, LIMITS.listWindowRows + 1]
  )
  return count
}

async function rowsOf<Row extends object>(
  sql: Sql,
  { table, order, columns, join = "" }: ListQuery,
  { from, where, values }: Source,
  window: Window,
  count: number
): Promise<Row[]> {
  const alias = table.split(" ")[1]
  const next = values.length + 1
  // Pages end at LIMITS.listWindowRows: nobody reads the end of a longer list.
  const { by, limit, offset } = fromNearerEnd(order, window, count > LIMITS.listWindowRows ? Infinity : count)
  const picked = `SELECT ${alias}.* FROM ${from} WHERE ${where} ORDER BY ${by} LIMIT $${next} OFFSET $${next + 1}`
  return sql.query<Row>(`SELECT ${columns} FROM (${picked}) ${alias} ${join} ORDER BY ${order}`, [
    ...values,
    limit,
    offset,
  ])
}

/**
 * How to read the rows of a window: OFFSET reads all rows that it skips, so the second half of a list is read backwards
 * from its end. `order` is as in `ListQuery`, `count` the number of rows of the whole list.
 */
export function fromNearerEnd(
  order: string,
  { limit, offset }: Pick<Window, "limit" | "offset">,
  count: number
): { by: string; limit: number; offset: number } {
  const behind = count - offset - limit
  if (offset >= count || behind >= offset) {
    return { by: order, limit, offset }
  }
  const by = order.replace(/\b(ASC|DESC)\b/g, (direction) => (direction === "ASC" ? "DESC" : "ASC"))
  return { by, limit: Math.min(limit, count - offset), offset: Math.max(behind, 0) }
}

async function rowsById<Row extends object>(
  sql: Sql,
  { table, columns, order, join = "" }: ListQuery,
  ids: readonly string[]
): Promise<Row[]> {
  return sql.query<Row>(
    `SELECT ${columns} FROM ${table} ${join} WHERE ${table.split(" ")[1]}.id = ANY($1) ORDER BY ${order}`,
    [ids]
  )
}

/** All that a text finds is sorted, unless it is so common that the first rows of the list already fill the page. */
async function pageFound<Row extends object>(
  sql: Sql,
  query: ListQuery,
  search: TextSearch,
  window: Window
): Promise<Page<Row>> {
  const found = foundIds(query, search)
  const count = await countOf(sql, found)
  const first = count > LIMITS.listWindowRows ? await firstIds(sql, query, search, window) : []
  const ids = first.length === window.limit ? first : await sortedIds(sql, query, found, window)
  return { rows: await rowsById<Row>(sql, query, ids), ...counted(count) }
}

async function sortedIds(
  sql: Sql,
  { table, order }: ListQuery,
  { from, values }: Source,
  { limit, offset }: Window
): Promise<string[]> {
  const next = values.length + 1
  const rows = await sql.query<{ id: string }>(
    `SELECT ${table.split(" ")[1]}.id FROM ${from} ORDER BY ${order} LIMIT $${next} OFFSET $${next + 1}`,
    [...values, limit, offset]
  )
  return rows.map(({ id }) => id)
}

/** Needs no order of its own: filtering keeps the order of the rows that are read. */
async function firstIds(sql: Sql, query: ListQuery, search: TextSearch, { limit, offset }: Window): Promise<string[]> {
  const { from, where, values } = firstCompared(query, search)
  const next = values.length + 1
  const rows = await sql.query<{ id: string }>(
    `SELECT id FROM ${from} WHERE ${where} LIMIT $${next} OFFSET $${next + 1}`,
    [...values, limit, offset]
  )
  return rows.map(({ id }) => id)
}

/** `pageOf` of a list whose amounts add up: with the sums of all its rows, when the window asks for them. */
export async function pageWithTotals<Row extends object>(
  database: Database,
  query: ListQuery & { sums: Sums },
  window: Window
): Promise<Page<Row>> {
  const page = await pageOf<Row>(database, query, window)
  return window.totals === true ? { ...page, totals: await totalsOf(database, query) } : page
}

/**
 * Reads the rows after a key. Each page is a statement of its own, so a slow reader holds neither a connection nor a
 * snapshot, and the time of a page does not grow with its distance from the beginning.
 */
async function pageAfter<Row extends object>(
  database: Database,
  query: ListQuery,
  limit: number,
  { after, signal }: NonNullable<Window["reading"]>
): Promise<Page<Row>> {
  const { table, order, key, columns, join = "" } = query
  const { from, where, values } = query.search === undefined ? allRows(query) : foundRows(query, query.search)
  const alias = table.split(" ")[1]
  const next = values.length + 1
  const direction = order.endsWith("DESC") ? "DESC" : "ASC"
  const by = key.split(", ").map((column) => `${column} ${direction}`)
  const place = (after ?? []).map((_, index) => `$${next + 1 + index}`)
  const rest = after === null ? "true" : `(${key}) ${direction === "DESC" ? "<" : ">"} (${place.join(", ")})`
  const picked = `SELECT ${alias}.* FROM ${from} WHERE ${where} AND ${rest} ORDER BY ${by.join(", ")} LIMIT $${next}`
  const sql = database.cancelledBy(signal)
  const found = await sql.query<Row & { page_key: (string | number)[] }>(
    `SELECT ${columns}, jsonb_build_array(${key}) AS page_key FROM (${picked}) ${alias} ${join} ORDER BY ${by.join(", ")}`,
    [...values, limit, ...(after ?? [])]
  )
  const rows = found.map(({ page_key: _, ...row }) => row as unknown as Row)
  return {
    rows,
    count: rows.length,
    count_is_exact: false,
    next: found.length < limit ? null : (found.at(-1)?.page_key ?? null),
  }
}

/** Adds up the amounts of the whole filtered list, each currency separately. */
async function totalsOf(sql: Sql, query: ListQuery & { sums: Sums }): Promise<Totals[]> {
  const { currency, amounts } = query.sums
  const { from, where, values } = query.search === undefined ? allRows(query) : foundRows(query, query.search)
  return sql.query<Totals>(
    `SELECT ${currency} AS currency, jsonb_build_object(${amounts.join(", ")}) AS sums
     FROM ${from} WHERE ${where} GROUP BY ${currency} ORDER BY ${currency}`,
    values
  )
}
