import type { Sql } from "../kernel/database"
import { LIMITS } from "../kernel/limits"
import { Conditions, type ListQuery, type Window } from "../kernel/paging"
import { among, collected, comparedRows, foundPayments, wholeId } from "./search"
import type { Found, SearchCondition, SearchedTenants } from "./search"

/**
 * How many payments are compared with a text that finds more than a list shows. Each takes some 25 microseconds, most of
 * them for the words of the customer's name: to compare many more would take longer than to sort all that is found.
 */
const COMPARED_ROWS = 2_000

type Listed = Pick<ListQuery, "where" | "values" | "order">
/** The part of a list's query that a search decides. */
export type Searched = Pick<ListQuery, "where" | "values" | "counted" | "idsOf">

/**
 * Narrows `listed`, the payments of a list in its order, to what a text finds (payments/search.ts), for one window of the
 * list (docs/decisions/0032). The text is searched no further than a list shows. Of a common text the first payments of
 * the list are compared: they are usually enough for the first pages. For other pages all that is found is sorted.
 */
export async function searchedList(sql: Sql, listed: Listed, q: string, tenants: SearchedTenants): Promise<Searched> {
  const whole = wholeId(q.trim())
  if (whole !== null) {
    return narrowed(listed, whole)
  }
  const most = LIMITS.listWindowRows
  const found = foundPayments(q, tenants, listed)
  const { count: read, ids } = await collected(sql, found, most + 1)
  const distinct = new Set(ids === "" ? [] : ids.split(",")).size
  if (read <= most) {
    return { ...narrowed(listed, among(ids)), counted: distinct }
  }
  return {
    where: `t.id = ANY(ARRAY(SELECT id FROM (${found.sql}) AS found))`,
    values: found.values,
    counted: distinct > most ? distinct : await countOf(sql, found, most + 1),
    idsOf: (window) => firstIds(sql, listed, comparedRows(q), window),
  }
}

/** Those of a list for which a condition of a search holds. */
export function narrowed({ where, values }: Omit<Listed, "order">, { sql, values: given }: SearchCondition): Searched {
  const conditions = new Conditions(where, ...values).add(sql, ...given)
  return { where: conditions.where, values: conditions.values }
}

/** What several parts of a search find is one payment. */
async function countOf(sql: Sql, found: Found, most: number): Promise<number> {
  const [{ count }] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count
     FROM (SELECT DISTINCT id FROM (${found.sql}) AS found LIMIT $${found.values.length + 1}) AS counted`,
    [...found.values, most]
  )
  return count
}

/** A window of those that a text finds among the first payments of the list; null: more have to be compared. */
async function firstIds(
  sql: Sql,
  { where, values, order }: Listed,
  text: SearchCondition,
  { limit, offset }: Window
): Promise<string[] | null> {
  const first = `SELECT * FROM gateway_transaction t WHERE ${where} ORDER BY ${order} LIMIT ${COMPARED_ROWS}`
  const compared = new Conditions("true", ...values).add(text.sql, ...text.values)
  const next = compared.values.length
  // Filtering keeps the order of the rows that are read.
  const rows = await sql.query<{ id: string }>(
    `SELECT t.id FROM (${first}) AS t WHERE ${compared.where} LIMIT $${next + 1} OFFSET $${next + 2}`,
    [...compared.values, limit, offset]
  )
  return rows.length === limit ? rows.map(({ id }) => id) : null
}
