import type { Sql } from "../kernel/database/database"
import { LIMITS } from "../kernel/limits"
import { Conditions } from "../kernel/database/conditions"
import type { ListQuery, Window } from "../kernel/database/paging"
import { among, collected, comparedRows, findsTwice, foundPayments, foundSources, wholeId } from "./search"
import type { Found, SearchCondition, SearchedTenants } from "./search"

/**
 * The number of payments, from the beginning of the list, that are compared with a text that finds more than a list
 * shows. A comparison takes about 25 microseconds, most of it for the words of the customer's name. To compare many
 * more would take longer than to sort all that is found.
 */
const COMPARED_ROWS = 2_000
/**
 * From this many found payments on, the payments are read in the order of the list and compared with the text, until
 * the page is full. So many of them match that this is faster than sorting all that is found.
 */
const MANY = 200_000
/** One more than a list shows. */
const MOST = LIMITS.listWindowRows + 1

/** `isFiltered`: not all payments of the merchant are listed. */
export type Listed = Pick<ListQuery, "where" | "values" | "order"> & { isFiltered: boolean }
/** The part of a list's query that a search decides. */
export type Searched = Pick<ListQuery, "where" | "values" | "counted" | "idsOf">

/**
 * Narrows `listed`, the payments of a list in its order, to what a text finds (payments/search.ts), for one window of the
 * list (docs/decisions/20). The text is searched no further than a list shows.
 */
export async function searchedList(sql: Sql, listed: Listed, q: string, tenants: SearchedTenants): Promise<Searched> {
  const whole = wholeId(q.trim())
  if (whole !== null) {
    return narrowed(listed, whole)
  }
  if ((await countUpTo(sql, foundSources(q, tenants), MOST)) === MOST) {
    return commonText(sql, listed, q, tenants)
  }
  const { ids } = await collected(sql, foundPayments(q, tenants, listed), MOST)
  return { ...narrowed(listed, among(ids)), counted: distinct(ids) }
}

/**
 * The same for a text that finds more than a list shows. A list with fewer payments than that is compared with it.
 * Otherwise the first payments of the list are compared, which are usually enough for the first pages; for other pages
 * all that is found is sorted.
 */
async function commonText(sql: Sql, listed: Listed, q: string, tenants: SearchedTenants): Promise<Searched> {
  const compared = comparedRows(q)
  if (listed.isFiltered && (await isShort(sql, listed))) {
    return narrowed(listed, compared)
  }
  const found = foundPayments(q, tenants, listed)
  return {
    where: `t.id = ANY(ARRAY(SELECT id FROM (${found.sql}) AS found))`,
    values: found.values,
    counted: listed.isFiltered || findsTwice(q) ? await countOf(sql, found) : MOST,
    idsOf: async (window) => {
      const first = await firstIds(sql, listed, compared, window)
      if (first !== null) {
        return first
      }
      const isMost = (await countUpTo(sql, foundSources(q, tenants), MANY)) === MANY
      return isMost ? comparedIds(sql, listed, compared, window) : null
    },
  }
}

/** Those of a list for which a condition of a search holds. */
export function narrowed(
  { where, values }: Pick<Listed, "where" | "values">,
  { sql, values: given }: SearchCondition
): Searched {
  const conditions = new Conditions(where, ...values).add(sql, ...given)
  return { where: conditions.where, values: conditions.values }
}

/** Whether the list shows all of its payments, without a search. */
async function isShort(sql: Sql, { where, values }: Listed): Promise<boolean> {
  const [{ count }] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count
     FROM (SELECT 1 FROM gateway_transaction t WHERE ${where} LIMIT $${values.length + 1}) AS counted`,
    [...values, MOST]
  )
  return count < MOST
}

async function countUpTo(sql: Sql, found: Found, most: number): Promise<number> {
  const [{ count }] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT id FROM (${found.sql}) AS found LIMIT $${found.values.length + 1}) AS counted`,
    [...found.values, most]
  )
  return count
}

/** What several parts of a search find is one payment. To leave out the others reads everything, and is rarely needed. */
async function countOf(sql: Sql, found: Found): Promise<number> {
  const first = await collected(sql, found, MOST)
  const known = distinct(first.ids)
  if (first.count < MOST || known === MOST) {
    return known
  }
  const [{ count }] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count
     FROM (SELECT DISTINCT id FROM (${found.sql}) AS found LIMIT $${found.values.length + 1}) AS counted`,
    [...found.values, MOST]
  )
  return count
}

function distinct(ids: string): number {
  return ids === "" ? 0 : new Set(ids.split(",")).size
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

async function comparedIds(
  sql: Sql,
  listed: Listed,
  text: SearchCondition,
  { limit, offset }: Window
): Promise<string[]> {
  const { where, values } = narrowed(listed, text)
  const next = values.length
  const rows = await sql.query<{ id: string }>(
    `SELECT t.id FROM gateway_transaction t WHERE ${where} ORDER BY ${listed.order} LIMIT $${next + 1} OFFSET $${next + 2}`,
    [...values, limit, offset]
  )
  return rows.map(({ id }) => id)
}
