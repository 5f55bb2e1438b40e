import type { Sql } from "../kernel/database"
import { SESSION_ID, TRANSACTION_ID } from "../kernel/ids"
import { Conditions, startingWith } from "../kernel/paging"
import { readSearch } from "./search-rules"

/** Whose payments are searched. */
export type SearchedTenants = { merchant_ids: readonly string[]; environments: readonly string[] }
/** A condition on `gateway_transaction t`, a part of one, or a SELECT of ids; each `?` in it takes one of `values`. */
export type SearchCondition = { sql: string; values: unknown[] }

/**
 * A text that finds more is common, such as the first name of every tenth customer. To collect so many ids costs more
 * than to compare payments in the order of the list; to compare is slow for what is rare, or only among old payments.
 */
const COMMON = 100_000
/** The same for a list that is read to its end: every page looks all ids up, and more than ten pages are slow. */
const COMMON_TO_READER = 5_000

const MEDUSA_ORDER_ID = /^order_[0-9A-Za-z]{26}$/
const TENANTS = "merchant_id = ANY(?) AND environment = ANY(?)"
/** Equal to the expressions of the indexes: otherwise PostgreSQL would not use them. */
const NAME = "to_tsvector('simple'::regconfig, customer ->> 'name')"
const INSTRUMENT_END = "right(COALESCE(instrument ->> 'last_four', instrument ->> 'account'), 4)"

/**
 * Payments by an id, the order's id or number, the customer's name, e-mail or phone, the last four digits of a card or
 * wallet that any attempt was made with, and the amount, with or without what EMI adds: for a list that is read along its
 * own order. A text that finds very many, such as a common name, is compared with the rows of that order instead: the
 * page is soon full. `isRead`: the list is read page by page to its end.
 */
export async function listedSearch(
  sql: Sql,
  q: string,
  tenants: SearchedTenants,
  isRead: boolean
): Promise<SearchCondition> {
  const most = isRead ? COMMON_TO_READER : COMMON
  const whole = wholeId(q.trim())
  if (whole !== null) {
    return whole
  }
  const { count, ids } = await collected(sql, q, tenants, most + 1)
  return count > most ? comparedRows(q) : among(ids)
}

/** The same for a list that is short in any case: of a text that finds more than `most`, some are left out. */
export async function limitedSearch(
  sql: Sql,
  q: string,
  tenants: SearchedTenants,
  most: number
): Promise<SearchCondition> {
  return wholeId(q.trim()) ?? among((await collected(sql, q, tenants, most)).ids)
}

/**
 * The ids are read first and given as a constant. In place of it the planner would have to guess how many a subquery
 * finds; of a merchant whom its statistics do not know yet it guesses one, and then reads all of the merchant's checkouts
 * once for each payment. As one text, because 100,000 values of a list are slow to send.
 */
function among(ids: string): SearchCondition {
  return { sql: "t.id = ANY(string_to_array(?, ','))", values: [ids] }
}

async function collected(
  sql: Sql,
  q: string,
  tenants: SearchedTenants,
  most: number
): Promise<{ count: number; ids: string }> {
  const select = foundIds(q, tenants)
  const { where: found, values } = new Conditions(select.sql, ...select.values)
  const [row] = await sql.query<{ count: number; ids: string }>(
    `SELECT count(*)::int AS count, COALESCE(string_agg(id, ','), '') AS ids
     FROM (SELECT id FROM (${found}) AS found LIMIT $${values.length + 1}) AS first`,
    [...values, most]
  )
  return row
}

/** Selects the ids of the payments that a text finds, some twice. Every part of it is read along an index of its own. */
export function foundIds(q: string, tenants: SearchedTenants): SearchCondition {
  const of = [tenants.merchant_ids, tenants.environments]
  const parts = [sessionsFound(q, of), ...paymentsFound(q, of)]
  return {
    sql: parts.map(({ sql }) => sql).join(" UNION ALL "),
    values: parts.flatMap((part) => part.values),
  }
}

function wholeId(q: string): SearchCondition | null {
  if (q === "") {
    return { sql: "false", values: [] }
  }
  if (TRANSACTION_ID.test(q)) {
    return { sql: "t.id = ?", values: [q] }
  }
  if (SESSION_ID.test(q)) {
    return { sql: "t.session_id = ?", values: [q] }
  }
  return MEDUSA_ORDER_ID.test(q)
    ? { sql: "t.id IN (SELECT transaction_id FROM gateway_cart_completion WHERE order_id = ?)", values: [q] }
    : null
}

/** What a text can say about the order and the customer, each a condition on a session. */
function sessionConditions(q: string): [sql: string, value: string][] {
  const { text, number, words, phone } = readSearch(q)
  const conditions: [sql: string, value: string][] = [
    ["order_id LIKE ?", startingWith(text)],
    ["lower(customer ->> 'email') LIKE ?", startingWith(text.toLowerCase())],
  ]
  if (number !== "") {
    // A number of digits alone is meant as it is: 12 is not 120.
    conditions.push(
      /^\d+$/.test(number)
        ? ["order_number IS NOT NULL AND lower(order_number) = ?", number]
        : ["order_number IS NOT NULL AND lower(order_number) LIKE ?", startingWith(number)]
    )
  }
  if (words.length > 0) {
    conditions.push([`${NAME} @@ to_tsquery('simple'::regconfig, ?)`, words.map((word) => `'${word}':*`).join(" & ")])
  }
  if (phone !== null) {
    conditions.push(["customer_phone LIKE ?", startingWith(phone)])
  }
  return conditions
}

function sessionsFound(q: string, of: readonly unknown[]): SearchCondition {
  const conditions = sessionConditions(q)
  const selects = conditions.map(([sql]) => `SELECT id FROM gateway_checkout_session WHERE ${TENANTS} AND ${sql}`)
  return {
    sql: `SELECT id FROM gateway_transaction WHERE session_id IN (${selects.join(" UNION ALL ")})`,
    values: conditions.flatMap(([, value]) => [...of, value]),
  }
}

/** By what was paid, and with what. */
function paymentsFound(q: string, of: readonly unknown[]): SearchCondition[] {
  const { last_four, amount } = readSearch(q)
  const found: SearchCondition[] = []
  if (last_four !== null) {
    found.push({
      sql: `SELECT transaction_id FROM gateway_payment_attempt
            WHERE ${TENANTS} AND instrument IS NOT NULL AND ${INSTRUMENT_END} = ?`,
      values: [...of, last_four],
    })
  }
  if (amount !== null) {
    found.push(
      {
        sql: `SELECT id FROM gateway_transaction WHERE ${TENANTS} AND amount_minor = ?`,
        values: [...of, Number(amount)],
      },
      {
        sql: "SELECT transaction_id FROM gateway_emi_plan WHERE total_minor + fee_minor = ?",
        values: [Number(amount)],
      }
    )
  }
  return found
}

/** What `foundIds` finds, asked of each payment `t`. Scalar subqueries: PostgreSQL cannot turn them into scans of whole tables. */
export function comparedRows(q: string): SearchCondition {
  const { last_four, amount } = readSearch(q)
  const conditions = sessionConditions(q)
  const tests = [
    `(SELECT ${conditions.map(([one]) => `(${one})`).join(" OR ")} FROM gateway_checkout_session WHERE id = t.session_id)`,
  ]
  const values: unknown[] = conditions.map(([, value]) => value)
  if (last_four !== null) {
    tests.push(
      `COALESCE((SELECT bool_or(${INSTRUMENT_END} = ?) FROM gateway_payment_attempt WHERE transaction_id = t.id), false)`
    )
    values.push(last_four)
  }
  if (amount !== null) {
    tests.push(
      "t.amount_minor = ?",
      "COALESCE((SELECT bool_or(total_minor + fee_minor = ?) FROM gateway_emi_plan WHERE transaction_id = t.id), false)"
    )
    values.push(Number(amount), Number(amount))
  }
  return { sql: `(${tests.join(" OR ")})`, values }
}
